/**
 * Decides whether a frame belongs to the app, to a library or to the platform where no rule of the application does.
 * The sender's no counts first, then the application's own identifier, then the list of well-known libraries, and last
 * the packages of the platform.
 */
import { isLibrarySource } from './library-sources.ts'
import { knownImages, knownLibraries } from './libraries.ts'

/** Java and Kotlin packages of the platform and the languages. */
const systemPackages = [
  'android.',
  'androidx.',
  'com.android.',
  'com.google.android.',
  'dalvik.',
  'java.',
  'javax.',
  'jdk.',
  'j$.',
  'kotlin.',
  'kotlinx.',
  'libcore.',
  'org.apache.harmony.',
  'org.json.',
  'org.w3c.',
  'org.xml.',
  'sun.',
  'System.',
  'Microsoft.',
  'UnityEngine.',
]

/** Folders of an Apple or Android system, and modules that lie in them, for reports that give no path. */
const systemModules = [
  /^lib(system|objc|dispatch|c\+\+|swift|xpc|c\.so|m\.so|dl\.so|art|log\.so|android|binder|utils|hwui)/,
  /^lib(EGL|GLES)/,
  /^(dyld|UIKit|Foundation$|CoreFoundation$|GraphicsServices$|SwiftUI$|AttributeGraph$|CFNetwork$)/,
  /^(QuartzCore$|CoreGraphics$|WebKit$|JavaScriptCore$|boot[-.]|base\.odex|app_process|linker)/,
]

/** Kotlin/Native compiles its runtime and its standard library into the binary of the app. */
const compiledIn = /^(kfun:kotlinx?\.|Kotlin_ObjCExport_|ThrowException$)/

export interface FramePlace {
  className: string | null
  /** The name of a function without a class. */
  function?: string | null
  module: string | null
  /** Whether the image is in an application bundle; null if the report does not say. */
  isAppImage: boolean | null
  /** The source, if it is known. */
  file?: string | null
  /** What the sender says of the frame. */
  inApp?: boolean | null | undefined
}

/** @param ownPackages packages of the app's own code, as `listOwnPackages` gives them */
export function isAppFrame(place: FramePlace, ownPackages: readonly string[] = []): boolean {
  const { className, module, isAppImage, inApp, file = null } = place
  if (inApp === false || (file !== null && isLibrarySource(file))) return false
  if (className !== null) return isAppClass(className, ownPackages)
  if (place.function && compiledIn.test(place.function)) return false
  if (module !== null && knownImages.some(({ prefix }) => isImageOf(module, prefix))) return false
  if (isAppImage !== null) return isAppImage
  if (module === null && inApp === true) return true
  return (
    module !== null &&
    !systemModules.some((pattern) => pattern.test(module)) &&
    !module.startsWith('[') &&
    !module.startsWith('<')
  )
}

/**
 * The packages of an app's own code by its identifiers: `org.shop.android` stands for `org.shop` as well, because few
 * apps keep all of their classes below their identifier.
 */
export function listOwnPackages(identifiers: readonly (string | null)[]): string[] {
  const packages = identifiers.flatMap((identifier) => {
    const parts = identifier?.split('.') ?? []
    return parts.flatMap((_part, place) => (place < 1 ? [] : [`${parts.slice(0, place + 1).join('.')}.`]))
  })
  return [...new Set(packages)]
}

/** The longer name decides where a library is published under the name of the app's maker. */
function isAppClass(className: string, ownPackages: readonly string[]): boolean {
  const own = findLongest(ownPackages, className)
  const foreign = Math.max(findLongest(libraryPackages, className), findLongest(systemPackages, className))
  return own > 0 && own >= foreign ? true : foreign === 0
}

const libraryPackages = knownLibraries.map(({ prefix }) => prefix)

/** The length of the longest of these beginnings that a name has; 0 if it has none. */
function findLongest(prefixes: readonly string[], name: string): number {
  let longest = 0
  for (const prefix of prefixes) {
    if (prefix.length > longest && name.startsWith(prefix)) longest = prefix.length
  }
  return longest
}

/** Shared libraries of Android carry versions in their names; frameworks of Apple's systems do not. */
function isImageOf(module: string, prefix: string): boolean {
  return prefix.startsWith('lib') ? module.startsWith(prefix) : module === prefix
}
