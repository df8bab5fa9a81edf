/**
 * Decides whether a frame belongs to the app or to its platform if neither a rule nor an image of the build decides it.
 */

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

/** System modules of Apple and Android, for reports without paths. */
const systemModules = [
  /^lib(system|objc|dispatch|c\+\+|swift|xpc)/,
  /^lib(c\.so|m\.so|dl\.so|art|log\.so|android|binder|utils|hwui|EGL|GLES)/,
  /^(dyld|UIKit|boot[-.]|base\.odex|app_process|linker)/,
  /^(Foundation|CoreFoundation|GraphicsServices|SwiftUI|AttributeGraph|CFNetwork)$/,
  /^(QuartzCore|CoreGraphics|WebKit|JavaScriptCore)$/,
]

export interface FramePlace {
  className: string | null
  module: string | null
  /** Whether the image is in an application bundle; null if the report does not say. */
  isAppImage: boolean | null
}

export function isAppFrame({ className, module, isAppImage }: FramePlace): boolean {
  if (className !== null) return !systemPackages.some((prefix) => className.startsWith(prefix))
  if (isAppImage !== null) return isAppImage
  if (module === null || module.startsWith('[') || module.startsWith('<')) return false
  return !systemModules.some((pattern) => pattern.test(module))
}
