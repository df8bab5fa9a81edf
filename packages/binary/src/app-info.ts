/**
 * The fields that a build declares about itself. This is plain data that survives JSON and worker messages. Dates are
 * ISO 8601 in UTC.
 */
export interface AppInfo {
  platform: Platform
  /** Package name of an Android app or bundle identifier of an Apple app; only letters, digits, `.`, `_` and `-`. */
  bundleIdentifier: string
  /** versionName (Android) or CFBundleShortVersionString (Apple), unchanged. */
  shortVersion: string | null
  /** Decimal version code with versionCodeMajor as its high 32 bits (Android), or CFBundleVersion (Apple). */
  version: string | null
  name: string
  /** Translated names by BCP 47 locale. */
  names: Record<string, string>
  icon: AppIcon | null
  /** Android: an API level, or the code name of a preview. Apple: a version such as `15.0`. */
  minOsVersion: string | null
  targetOsVersion: string | null
  /** Android: requested permissions. Apple: keys of usage descriptions (`NSCameraUsageDescription`). Sorted. */
  permissions: string[]
  debuggable: boolean
  /** Android ABIs (`arm64-v8a`) or Apple CPU types (`arm64`). Empty if there is no native code. */
  architectures: string[]
  /** Apple only; empty for Android. */
  deviceFamilies: DeviceFamily[]
  signing: Signing
  /** Name of the split if the APK is one part of an app. */
  split: string | null
  /** Android: the APK installs only together with its splits. */
  needsSplits: boolean
  /** Android: the APK installs only with `adb install -t`. */
  isTestOnly: boolean
  /** Apple: the app runs in the simulator only, not on a device. */
  isForSimulator: boolean
  /** Apps and extensions inside an Apple app. */
  nested: NestedBundle[]
  /** Sentences about oddities that do not prevent reading, and about anything that would prevent installation. */
  warnings: string[]
}

export type Platform = 'android' | 'ios' | 'tvos' | 'visionos' | 'watchos' | 'macos'

export type DeviceFamily = 'iphone' | 'ipad' | 'tv' | 'watch' | 'mac' | 'vision'

/** Says where in the archive the icon is; `readIcon` reads it. */
export type AppIcon =
  | { kind: 'image'; path: string; format: ImageFormat }
  | { kind: 'layers'; path: string; background: IconLayer | null; foreground: IconLayer }

export type ImageFormat = 'png' | 'webp' | 'jpeg'

/** A colour as `#aarrggbb`, or an image in the archive. */
export type IconLayer = { color: string } | { path: string; format: ImageFormat }

export interface Signing {
  /**
   * `none`: there is no signature.
   * `extracted`: there is a signature, and it was not checked.
   * `verified`: scheme v2 or later was checked and matches this file.
   * `broken`: the signature does not match, or a required signature was removed.
   */
  integrity: 'none' | 'extracted' | 'verified' | 'broken'
  /** One certificate per signer and scheme. */
  certificates: SigningCertificate[]
  /** SHA-256 of the key's certificates after rotation, oldest first; empty if the key was never rotated. */
  lineage: string[]
  /** Ids of all pairs in the APK signing block, such as `0x7109871a`. */
  blockIds: string[]
  /** Apple only; null for Android. */
  profile: ProvisioningProfile | null
}

export interface SigningCertificate {
  scheme: 'v1' | 'v2' | 'v3' | 'v3.1'
  /** SHA-256 of the certificate in DER, in lower-case hexadecimal. */
  sha256: string
  /** Comma-separated, such as `CN=Android Debug, O=Android, C=US`; empty if the certificate cannot be parsed. */
  subject: string
  notAfter: string | null
}

export interface ProvisioningProfile {
  type: 'development' | 'ad-hoc' | 'enterprise' | 'app-store'
  name: string | null
  uuid: string | null
  teamId: string | null
  teamName: string | null
  /** Application identifier with its team prefix; may end in `*`. */
  appIdentifier: string | null
  creationDate: string | null
  expirationDate: string | null
  deviceCount: number
  /** UDIDs of the devices that the profile allows. */
  devices: string[]
  entitlements: Record<string, Json>
}

export interface NestedBundle {
  path: string
  bundleIdentifier: string | null
  /** Extension point of an extension, such as `com.apple.widgetkit-extension`. */
  extensionPoint: string | null
}

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }
