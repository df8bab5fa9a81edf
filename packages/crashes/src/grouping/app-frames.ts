/** Tells the frames of an app from those of its platform, where neither a rule nor an image of the build says so. */

/** Packages of Java and Kotlin that come with the platform or with the languages. */
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

export interface FramePlace {
  className: string | null
  module: string | null
  /** Whether the image lies in an application bundle; null where the report does not tell. */
  isAppImage: boolean | null
}

export function isAppFrame({ className, module, isAppImage }: FramePlace): boolean {
  if (className !== null) return !systemPackages.some((prefix) => className.startsWith(prefix))
  if (isAppImage !== null) return isAppImage
  return (
    module !== null &&
    !systemModules.some((pattern) => pattern.test(module)) &&
    !module.startsWith('[') &&
    !module.startsWith('<')
  )
}
