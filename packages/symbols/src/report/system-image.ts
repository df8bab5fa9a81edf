import type { ReportImage } from './crash-report.ts'

/**
 * Folders of Apple's own code. macOS and Mac Catalyst, and the simulator, whose runtime stands in a folder of its own
 * (`…/RuntimeRoot/System/Library/…`), use the same names.
 */
const systemPath = /^(?:\/.*\/RuntimeRoot)?\/(?:System|usr\/lib)\//

/** Tells whether an image is part of the operating system, so that nobody who builds the app has its symbols. */
export function isSystemImage({ path }: Pick<ReportImage, 'path'>): boolean {
  return path !== null && systemPath.test(path)
}
