/** The resources that the functions of the client take and return. What this package names itself comes first. */
export type * from '@fairlead/contract'
export type { Binary, OpenBinary, OpenBinaryOptions } from './binary.ts'
export type { BuildUpload } from './builds.ts'
export { type Client, createClient } from './client.ts'
export { type CallOptions, type Connection, type ConnectionOptions, openConnection } from './connection.ts'
export type { StreamedEvent } from './follow-events.ts'
export type { Page, Paging } from './page.ts'
export { RequestError } from './request-error.ts'
export type { Retry } from './retry.ts'
export type { ReportRelease } from './crashes.ts'
export type { SymbolsUpload } from './symbols.ts'
export type { TestReportUpload } from './tests.ts'
export type {
  Answer,
  Exchange,
  PlainRequest,
  Transmission,
  TransmissionAnswer,
  Transmit,
  UploadFile,
  UploadProgress,
} from './transport/transport.ts'
export { UploadAborted } from './upload-aborted.ts'
export type { UploadOptions } from './upload.ts'
