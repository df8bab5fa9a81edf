export type { Binary, OpenBinary, OpenBinaryOptions } from './binary.ts'
export type { BuildUpload } from './builds.ts'
export { type Client, createClient } from './client.ts'
export type { CallOptions, ConnectionOptions } from './connection.ts'
export type { Page, Paging } from './page.ts'
export { RequestError } from './request-error.ts'
export type { Retry } from './retry.ts'
export type { SymbolsUpload } from './symbols.ts'
export type {
  Transmission,
  TransmissionAnswer,
  Transmit,
  UploadFile,
  UploadProgress,
} from './transport/transport.ts'
export type { UploadOptions } from './upload.ts'
