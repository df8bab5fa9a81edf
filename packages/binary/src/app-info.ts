/** What a build says about itself. Plain data: it survives JSON and worker messages. Dates are ISO 8601, in UTC. */
export interface AppInfo {
  platform: Platform
  /** The package name of an Android app, the bundle identifier of an Apple one: letters, digits, `.`, `_` and `-` only. */
  bundleIdentifier: string
  /** versionName, or CFBundleShortVersionString, as written. */
  shortVersion: string | null
  /** The decimal version code (with versionCodeMajor as its high 32 bits), or CFBundleVersion. */
  version: string | null
  name: string
  /** By BCP 47 locale, where it is translated. */
  names: Record<string, string>
  icon: AppIcon | null
  /** Android: an API level, or the code name of a preview. Apple: a version such as `15.0`. */
  minOsVersion: string | null
  targetOsVersion: string | null
  /** Android: the permissions asked for. Apple: the usage descriptions given (`NSCameraUsageDescription`). Sorted. */
  permissions: string[]
  debuggable: boolean
  /** Android ABIs (`arm64-v8a`); Apple CPU types (`arm64`). Empty where there is no native code. */
  architectures: string[]
  /** Apple only. */
  deviceFamilies: DeviceFamily[]
  signing: Signing
  /** The name of the split, of an APK that is a part of an app. */
  split: string | null
  /** Android: it installs only together with splits. */
  needsSplits: boolean
  /** Android: it installs over a cable (`adb install -t`), and in no other way. */
  isTestOnly: boolean
  /** Apple: no device runs it. */
  isForSimulator: boolean
  /** Apps and extensions inside an Apple app. */
  nested: NestedBundle[]
  /** Sentences about what is odd though installable, or would stop the installation. */
  warnings: string[]
}

export type Platform = 'android' | 'ios' | 'tvos' | 'visionos' | 'watchos' | 'macos'

export type DeviceFamily = 'iphone' | 'ipad' | 'tv' | 'watch' | 'mac' | 'vision'

/** Where to take the icon from; `readIcon` makes an image of it. */
export type AppIcon =
  | { kind: 'image'; path: string; format: ImageFormat }
  | { kind: 'layers'; path: string; background: IconLayer | null; foreground: IconLayer }

export type ImageFormat = 'png' | 'webp' | 'jpeg'

/** `#aarrggbb`, or an image in the archive. */
export type IconLayer = { color: string } | { path: string; format: ImageFormat }

export interface Signing {
  /**
   * `none`: there is no signature. `extracted`: there is one; whether it is valid was not looked into. `verified`: scheme v2 or later
   * was checked and signs this very file. `broken`: it does not, or a signature that must be there has been taken out.
   */
  integrity: 'none' | 'extracted' | 'verified' | 'broken'
  /** One for each signer of each scheme. */
  certificates: SigningCertificate[]
  /** SHA-256 of the certificates that the signing key has been, the oldest first; empty where it was never rotated. */
  lineage: string[]
  /** Ids of everything in the APK signing block, such as `0x7109871a`. */
  blockIds: string[]
  /** Apple only. */
  profile: ProvisioningProfile | null
}

export interface SigningCertificate {
  scheme: 'v1' | 'v2' | 'v3' | 'v3.1'
  /** Of the certificate's bytes, in lower-case hexadecimal. */
  sha256: string
  /** Comma-separated, such as `CN=Android Debug, O=Android, C=US`; empty where the certificate cannot be parsed. */
  subject: string
  notAfter: string | null
}

export interface ProvisioningProfile {
  type: 'development' | 'ad-hoc' | 'enterprise' | 'app-store'
  name: string | null
  uuid: string | null
  teamId: string | null
  teamName: string | null
  /** With its team prefix; may end in `*`. */
  appIdentifier: string | null
  creationDate: string | null
  expirationDate: string | null
  deviceCount: number
  /** UDIDs of the devices it allows. */
  devices: string[]
  entitlements: Record<string, Json>
}

export interface NestedBundle {
  path: string
  bundleIdentifier: string | null
  /** `com.apple.widgetkit-extension` and such, of an extension. */
  extensionPoint: string | null
}

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }
