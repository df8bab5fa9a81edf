import type { FileBytes } from './file-bytes.ts'

/** A part of a file, in bytes. */
export interface FilePart {
  source: FileBytes
  offset: number
  size: number
}
