import type { CallOptions, Connection } from './connection.ts'
import { toRequestError } from './request-error.ts'
import type { TransmissionAnswer } from './transport/transport.ts'
import { answerTimeoutMs, type UploadOptions } from './upload.ts'

const path = '/v2/uploads'
const tus = { 'Tus-Resumable': '1.0.0' }

/** Uploads of builds by the tus protocol 1.0. `builds.upload` uses these for large files. */
export function uploadsOf(connection: Connection) {
  const { open, send } = connection
  return {
    /** Creates an upload of `size` bytes with the headers that a plain upload would have. Returns its id. */
    create: async (size: number, headers: Record<string, string>, options?: CallOptions): Promise<string> => {
      const all = { ...headers, ...tus, 'Upload-Length': String(size) }
      const response = await open('POST', path, { headers: all, isRepeatable: true, ...options })
      const id = response.headers.get('Location')?.split('/').at(-1)
      if (id === undefined || id === '') throw new Error('The answer to a new upload has no Location')
      return id
    },
    /** Returns the number of bytes that the server has. */
    getOffset: async (id: string, options?: CallOptions): Promise<number> => {
      const { headers } = await open('HEAD', `${path}/${id}`, { headers: tus, ...options })
      const offset = headers.get('Upload-Offset')
      if (offset === null) throw new Error('The answer about an upload has no Upload-Offset')
      return Number(offset)
    },
    /** Sends the remaining bytes in one attempt. Once all have arrived, the text of the answer is the build. */
    append: (id: string, offset: number, options: UploadOptions): Promise<string> =>
      append(connection, id, offset, options),
    /** Cancels an upload and deletes its bytes on the server. */
    discard: (id: string, options?: CallOptions) => send('DELETE', `${path}/${id}`, { headers: tus, ...options }),
  }
}

async function append(
  connection: Connection,
  id: string,
  offset: number,
  { file, size, signal, onProgress }: UploadOptions,
): Promise<string> {
  const { status, text, retryAfter }: TransmissionAnswer = await connection.transmit({
    method: 'PATCH',
    url: connection.toUrl(`${path}/${id}`),
    headers: {
      ...connection.headers(),
      ...tus,
      'Content-Type': 'application/offset+octet-stream',
      'Upload-Offset': String(offset),
      Prefer: 'return=representation',
    },
    file,
    start: offset,
    size,
    idleTimeoutMs: connection.idleTimeoutMs,
    answerTimeoutMs,
    signal,
    onProgress,
  })
  if (status >= 200 && status < 300) return text
  throw toRequestError(status, text, retryAfter)
}
