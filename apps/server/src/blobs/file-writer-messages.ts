/**
 * The messages from `FileWriter` to its thread. Requests for one file are carried out in order, and every call gets
 * exactly one answer.
 */
export type FileRequest =
  | { type: 'create'; path: string }
  | { type: 'append'; pieces: Uint8Array[] }
  /** Answered when all that was appended before is durable. */
  | { type: 'sync' }
  | { type: 'finish' }
  | { type: 'abandon' }

export interface FileCall {
  call: number
  file: number
  request: FileRequest
}

export interface FileAnswer {
  call: number
  /** Lower-case hexadecimal. Present in the answer to `finish`. */
  sha256?: string
  /** Structured cloning drops an error's `code`, so it is sent beside the message. */
  error?: { message: string; code: string | undefined }
}
