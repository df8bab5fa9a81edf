/** The messages between an app reader and its processes. A process answers one request at a time, and each once. */
import type { AppInfo } from '../app-info.ts'
import type { BinaryErrorCode } from '../binary-error.ts'
import type { AppFile } from '../read-app-file.ts'
import type { ReadAppOptions } from '../read-app-options.ts'

export interface ReaderRequest {
  path: string
  options: ReadAppOptions
  /** Whether the icon and the images are read as well. */
  isWhole: boolean
}

/** A BinaryError without its class, which messages do not keep. */
export interface PlainError {
  code: BinaryErrorCode
  detail: string
  app?: Partial<AppInfo>
}

export interface PlainAppFile extends Omit<AppFile, 'errors'> {
  errors: PlainError[]
}

export type ReaderAnswer = { file: PlainAppFile } | { error: PlainError }
