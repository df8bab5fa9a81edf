import { RequestError } from '../request-error.ts'
import { createIdleTimer } from './idle-timer.ts'
import type { Transmission, TransmissionAnswer, UploadFile } from './transport.ts'

export { fetchUnlessIdle as exchange } from './fetch-unless-idle.ts'

interface XhrEvents {
  addEventListener(type: 'load' | 'error' | 'abort', listener: () => void): void
}

/** The part of XMLHttpRequest used here. In browsers it is the only API that reports the progress of an upload. */
interface UploadXhr extends XhrEvents {
  upload: { addEventListener(type: 'progress', listener: (event: { loaded: number; total: number }) => void): void }
  status: number
  responseText: string
  getResponseHeader(name: string): string | null
  open(method: string, url: string): void
  setRequestHeader(name: string, value: string): void
  send(body: Blob): void
  abort(): void
}

/** Sends a Blob by XMLHttpRequest if that exists, and anything else by `fetch`. Browsers cannot read a path. */
export function transmit(transmission: Transmission): Promise<TransmissionAnswer> {
  const { file: whole, start } = transmission
  if (typeof whole === 'string') return Promise.reject(new TypeError('A browser uploads a Blob, not a path'))
  const file = whole instanceof Blob && start > 0 ? whole.slice(start) : whole
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- declared because the DOM types are not loaded
  const Xhr = (globalThis as { XMLHttpRequest?: new () => UploadXhr }).XMLHttpRequest
  if (file instanceof Blob && Xhr) return transmitByXhr(new Xhr(), file, transmission)
  return transmitByFetch(file, transmission)
}

/** Returns the size of a file in bytes; undefined for a stream, whose size is not known before it is read. */
export async function measure(file: UploadFile): Promise<number | undefined> {
  return file instanceof Blob ? file.size : undefined
}

function transmitByXhr(xhr: UploadXhr, file: Blob, transmission: Transmission): Promise<TransmissionAnswer> {
  const { method, url, start, headers, signal, onProgress, idleTimeoutMs, answerTimeoutMs } = transmission
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    let isIdle = false
    const abort = () => xhr.abort()
    signal?.addEventListener('abort', abort)
    const timer = createIdleTimer(idleTimeoutMs, () => {
      isIdle = true
      xhr.abort()
    })
    const onEnd = (type: 'load' | 'error' | 'abort', end: () => void) =>
      xhr.addEventListener(type, () => {
        signal?.removeEventListener('abort', abort)
        timer.stop()
        end()
      })
    onEnd('load', () =>
      resolve({ status: xhr.status, text: xhr.responseText, retryAfter: xhr.getResponseHeader('Retry-After') }),
    )
    onEnd('error', () => reject(RequestError.unreachable()))
    onEnd('abort', () =>
      reject(
        isIdle ? RequestError.timedOut(idleTimeoutMs) : new DOMException('The upload was cancelled', 'AbortError'),
      ),
    )
    xhr.upload.addEventListener('progress', ({ loaded, total }) => {
      timer.touch(loaded >= total ? answerTimeoutMs : undefined)
      onProgress?.({ sent: start + loaded, total: start + total })
    })
    xhr.open(method, url)
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value)
    xhr.send(file)
  })
}

type StreamedFile = Exclude<Transmission['file'], string>

async function transmitByFetch(file: StreamedFile, transmission: Transmission): Promise<TransmissionAnswer> {
  const { method, url, start, headers, signal, onProgress, idleTimeoutMs, answerTimeoutMs } = transmission
  signal?.throwIfAborted()
  const idle = new AbortController()
  const timer = createIdleTimer(idleTimeoutMs, () => idle.abort(RequestError.timedOut(idleTimeoutMs)))
  const total = file instanceof Blob ? file.size : (transmission.size ?? Infinity)
  let sent = 0
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      sent += chunk.byteLength
      timer.touch(sent === total ? answerTimeoutMs : undefined)
      onProgress?.({ sent: start + sent, total: start + total })
      controller.enqueue(chunk)
    },
  })
  try {
    // `fetch` refuses a stream without `duplex`, which the DOM types do not have yet.
    const request = {
      method,
      headers,
      body: toStream(file).pipeThrough(counter),
      duplex: 'half' as const,
      signal: signal ? AbortSignal.any([signal, idle.signal]) : idle.signal,
    }
    const response = await fetch(url, request)
    return { status: response.status, text: await response.text(), retryAfter: response.headers.get('Retry-After') }
  } catch (cause) {
    if (signal?.aborted === true) throw signal.reason
    throw idle.signal.aborted ? idle.signal.reason : RequestError.unreachable(cause)
  } finally {
    timer.stop()
  }
}

function toStream(file: StreamedFile): ReadableStream<Uint8Array> {
  if (file instanceof Blob) return file.stream()
  if (file instanceof ReadableStream) return file
  const chunks = file[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done === true) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await chunks.return?.()
    },
  })
}
