export type {
  AppIcon,
  AppInfo,
  DeviceFamily,
  IconLayer,
  ImageFormat,
  Json,
  NestedBundle,
  Platform,
  ProvisioningProfile,
  Signing,
  SigningCertificate,
} from './app-info.ts'
export { type AppImage, readImages } from './images/read-images.ts'
export { type MachOImage, readMachOImages } from './images/mach-o-images.ts'
export { BinaryError, type BinaryErrorCode } from './binary-error.ts'
export { type FatHeader, type FatSlice, maxFatHeaderBytes, parseFatHeader } from './mach-o/fat-header.ts'
export { hasMachOMagic, type MachOHeader, machOHeaderBytes, parseMachOHeader } from './mach-o/header.ts'
export { listLoadCommands, type LoadCommand, toUuid as toMachOUuid } from './mach-o/load-commands.ts'
export { parsePlist } from './plist/plist.ts'
export { isPlistDictionary, type PlistDictionary, type PlistLimits, type PlistValue } from './plist/plist-value.ts'
export { readApp } from './read-app.ts'
export { type AppFile, readAppFile } from './read-app-file.ts'
export type { ReadAppOptions } from './read-app-options.ts'
export { type ByteSource, sourceOfBytes } from './source/byte-source.ts'
export { openFile } from './source/file-source.ts'
export type { ZipEntry } from './zip/directory.ts'
export { openZip, type OpenZipOptions, type ZipArchive } from './zip/zip.ts'
export { type IconImage, readIcon, toPortableImage } from './read-icon.ts'
export { type AppReader, type AppReaderOptions, createAppReader, type TurnOptions } from './worker/app-reader.ts'
export { type FullQueue, QueueFullError, type QueueLimits, TurnQueue } from './worker/turn-queue.ts'
