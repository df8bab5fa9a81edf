import type { ReportImage } from './crash-report.ts'

/**
 * Folders of Apple's own code. macOS and Mac Catalyst use the same names, as do the simulator, whose runtime has a
 * folder of its own (`…/RuntimeRoot/System/Library/…`), and cryptexes (`/private/preboot/Cryptexes/OS/usr/lib/…`).
 */
const systemPath = /^(?:\/.*\/RuntimeRoot|\/private\/preboot\/Cryptexes\/\w+)?\/(?:System|usr\/lib)\//

/** Tells whether an image is part of the operating system, so that nobody who builds the app has its symbols. */
export function isSystemImage({ path }: Pick<ReportImage, 'path'>): boolean {
  return path !== null && systemPath.test(path)
}
