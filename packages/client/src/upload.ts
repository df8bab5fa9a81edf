import type { Connection, Query } from './connection.ts'
import { RequestError, toRequestError } from './request-error.ts'

export interface UploadProgress {
  /** Bytes handed to the network so far. */
  sent: number
  total: number
}

export interface Upload {
  file: Blob
  headers: Record<string, string>
  query?: Query
  signal?: AbortSignal | undefined
  onProgress?: ((progress: UploadProgress) => void) | undefined
}

/** Posts the bytes of a file and gives back the text of the answer. */
export function upload(connection: Connection, path: string, message: Upload): Promise<string> {
  const Xhr = (globalThis as { XMLHttpRequest?: new () => UploadXhr }).XMLHttpRequest
  return Xhr ? uploadByXhr(new Xhr(), connection, path, message) : uploadByFetch(connection, path, message)
}

async function uploadByFetch(connection: Connection, path: string, message: Upload): Promise<string> {
  const { file, headers, query, signal, onProgress } = message
  const response = await fetch(connection.toUrl(path, query), {
    method: 'POST',
    headers: { ...connection.headers(), ...headers },
    ...(onProgress ? { body: countBytes(file, onProgress), duplex: 'half' } : { body: file }),
    signal: signal ?? null,
  }).catch((cause: unknown) => {
    throw signal?.aborted === true ? cause : RequestError.unreachable(cause)
  })
  const text = await response.text()
  if (!response.ok) throw toRequestError(response.status, text)
  return text
}

function countBytes(file: Blob, onProgress: (progress: UploadProgress) => void) {
  let sent = 0
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      sent += chunk.byteLength
      onProgress({ sent, total: file.size })
      controller.enqueue(chunk)
    },
  })
  return file.stream().pipeThrough(counter)
}

interface XhrEvents {
  addEventListener(type: 'load' | 'error' | 'abort', listener: () => void): void
}

/** What is used here of XMLHttpRequest: in browsers still the only one to tell how far an upload has come. */
interface UploadXhr extends XhrEvents {
  upload: { addEventListener(type: 'progress', listener: (event: { loaded: number; total: number }) => void): void }
  status: number
  responseText: string
  open(method: string, url: string): void
  setRequestHeader(name: string, value: string): void
  send(body: Blob): void
  abort(): void
}

function uploadByXhr(xhr: UploadXhr, connection: Connection, path: string, message: Upload): Promise<string> {
  const { file, headers, query, signal, onProgress } = message
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const abort = () => xhr.abort()
    signal?.addEventListener('abort', abort)
    const onEnd = (type: 'load' | 'error' | 'abort', end: () => void) =>
      xhr.addEventListener(type, () => {
        signal?.removeEventListener('abort', abort)
        end()
      })
    onEnd('load', () => {
      if (xhr.status >= 200 && xhr.status < 300) resolve(xhr.responseText)
      else reject(toRequestError(xhr.status, xhr.responseText))
    })
    onEnd('error', () => reject(RequestError.unreachable()))
    onEnd('abort', () => reject(new DOMException('The upload was cancelled', 'AbortError')))
    xhr.upload.addEventListener('progress', ({ loaded, total }) => onProgress?.({ sent: loaded, total }))
    xhr.open('POST', connection.toUrl(path, query))
    for (const [name, value] of Object.entries({ ...connection.headers(), ...headers }))
      xhr.setRequestHeader(name, value)
    xhr.send(file)
  })
}
