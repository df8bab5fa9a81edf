export { BinaryError, type BinaryErrorCode } from './binary-error.ts'
export {
  isPlistDictionary,
  parsePlist,
  type PlistDictionary,
  type PlistLimits,
  type PlistValue,
} from './plist/plist.ts'
export { type ByteSource, sourceOfBytes } from './source/byte-source.ts'
export { openFile } from './source/file-source.ts'
export type { ZipEntry } from './zip/directory.ts'
export { openZip, type OpenZipOptions, type ZipArchive } from './zip/zip.ts'

export interface AppInfo {
  platform: 'android' | 'ios'
  bundleIdentifier: string
  shortVersion: string | null
  version: string | null
  name: string
  minOsVersion: string | null
  targetOsVersion: string | null
  permissions: string[]
  debuggable: boolean
  architectures: string[]
  warnings: string[]
  images: { name: string; uuid: string; architecture: string | null }[]
  signing: {
    certificates: { scheme: string; sha256: string; subject: string | null; notAfter: string | null }[]
    profile: null
  }
}
