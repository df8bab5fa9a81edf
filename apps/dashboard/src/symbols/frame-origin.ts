import type { SymbolicatedCrash } from '@fairlead/contract'

/** Tells frames of the app from frames of the system that it runs on. */
export interface FrameOrigin {
  isOfSystem: (frame: { function: string | null; module: string | null; raw: string }) => boolean
  isSystemImage: (name: string) => boolean
}

const systemPath =
  /^\/(?:usr\/lib|usr\/libexec|Library\/Apple)\/|(?:^|\/)System\/(?:Library|iOSSupport|Cryptexes|DriverKit)\//

/** Packages of Java, Kotlin and Android themselves, as whole names. */
const systemPackage =
  /^(?:android|androidx|com\.android|com\.google\.android|dalvik|java|javax|jdk|kotlin|kotlinx|libcore|sun)\./

const systemLibrary = /\s\/(?:system|apex|vendor|product)\//

/**
 * @param report the original report, which names the paths of its images
 */
export function readFrameOrigin(kind: SymbolicatedCrash['kind'], report: string): FrameOrigin {
  if (kind !== 'apple') {
    return {
      isOfSystem: ({ function: name, raw }) => systemLibrary.test(raw) || systemPackage.test(name ?? readRawName(raw)),
      isSystemImage: () => false,
    }
  }
  const paths = readImagePaths(report)
  const isSystemImage = (name: string) => systemPath.test(paths.get(name) ?? '')
  return { isOfSystem: ({ module }) => module !== null && isSystemImage(module), isSystemImage }
}

function readRawName(raw: string): string {
  return /\bat\s+(.+)/.exec(raw)?.[1] ?? ''
}

/** Maps the name of each image to its path, from an `.ips`, which is JSON, or from the end of a `.crash`. */
function readImagePaths(report: string): Map<string, string> {
  const paths = new Map<string, string>()
  for (const [, name, path] of report.matchAll(
    /^\s*0x[\da-f]+\s+-\s+0x[\da-f]+\s+\+?(\S{1,300})[^\n/]{0,300}(\/[^\n]{1,2000})$/gim,
  )) {
    if (name !== undefined && path !== undefined) paths.set(name, path)
  }
  for (const image of readJsonImages(report)) {
    if (typeof image.name === 'string' && typeof image.path === 'string') paths.set(image.name, image.path)
  }
  return paths
}

/** Parses the report in an `.ips`, which is a header of one line of JSON and then the report as JSON. */
function readJsonImages(report: string): { name?: unknown; path?: unknown }[] {
  if (!report.trimStart().startsWith('{')) return []
  for (const text of [report.slice(report.indexOf('\n') + 1), report]) {
    try {
      const body: unknown = JSON.parse(text)
      const images = typeof body === 'object' && body !== null && 'usedImages' in body ? body.usedImages : undefined
      if (Array.isArray(images)) return images.filter((image) => typeof image === 'object' && image !== null)
    } catch {
      // The server has read the report already, or has said why it could not.
    }
  }
  return []
}
