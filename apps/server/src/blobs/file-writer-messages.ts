/**
 * What `FileWriter` asks of its thread. What concerns one file is done in the order in which it was asked, and each
 * call is answered once.
 */
export type FileRequest =
  | { type: 'create'; path: string }
  | { type: 'append'; pieces: Uint8Array[] }
  | { type: 'finish' }
  | { type: 'abandon' }

export interface FileCall {
  call: number
  file: number
  request: FileRequest
}

export interface FileAnswer {
  call: number
  /** Lower-case hexadecimal; of what was finished. */
  sha256?: string
  /** An error that is sent to another thread loses its code. */
  error?: { message: string; code: string | undefined }
}
