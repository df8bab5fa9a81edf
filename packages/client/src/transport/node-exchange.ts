import type { ClientRequest, IncomingMessage } from 'node:http'
import { fetchUnlessIdle } from './fetch-unless-idle.ts'
import { followRedirects } from './follow-redirects.ts'
import { RequestError } from '../request-error.ts'
import { createIdleTimer, type IdleTimer } from './idle-timer.ts'
import { loadHttp } from './load-http.ts'
import type { Answer, PlainRequest } from './transport.ts'

/** No answer of the API is longer, in bytes. A stranger that answers without an end must not fill the memory. */
const longestAnswer = 256 * 2 ** 20

/**
 * Sends a request by `node:http` and returns the answer. Throws `RequestError` with status 0 when no answer came, and
 * the signal's reason when it was aborted. Loading `fetch` takes longer than all other modules of a small program
 * together, so only downloads use it, which also need it to follow a redirect to an object store.
 */
export async function exchange(url: string, request: PlainRequest): Promise<Answer> {
  if (request.isDownload) return await fetchUnlessIdle(url, request, followRedirects)
  const { method, headers, body, idleTimeoutMs, signal } = request
  signal?.throwIfAborted()
  const { request: open } = await loadHttp(url)
  // A body as bytes keeps Node from writing it in one text with the head, whose characters are bytes already.
  const content = body === null ? undefined : await toBytes(body)
  const sent = open(url, {
    method,
    headers: { ...headers, ...(content && { 'Content-Length': String(content.length) }) },
  })
  const abort = () => sent.destroy()
  signal?.addEventListener('abort', abort, { once: true })
  const timer = createIdleTimer(idleTimeoutMs, () => sent.destroy(RequestError.timedOut(idleTimeoutMs)))
  try {
    return await readAnswer(sent, content, timer)
  } catch (cause) {
    if (signal?.aborted === true) throw signal.reason
    throw cause instanceof RequestError ? cause : RequestError.unreachable(cause)
  } finally {
    signal?.removeEventListener('abort', abort)
    timer.stop()
  }
}

async function toBytes(body: string | Blob): Promise<Buffer> {
  return typeof body === 'string' ? Buffer.from(body) : Buffer.from(await body.arrayBuffer())
}

async function readAnswer(sent: ClientRequest, content: Buffer | undefined, timer: IdleTimer): Promise<Answer> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve)
    // This listener stays, because a connection may also break after its answer.
    sent.on('error', reject)
    sent.end(content)
  })
  const { statusCode: status = 0, headers } = response
  const pieces: Buffer[] = []
  let length = 0
  // A response without an encoding gives buffers.
  const chunks: AsyncIterable<Buffer> = response
  for await (const piece of chunks) {
    timer.touch()
    pieces.push(piece)
    length += piece.length
    if (length > longestAnswer) throw new Error(`The answer is longer than ${longestAnswer} bytes`)
  }
  const { location } = headers
  if (status >= 300 && status < 400 && location !== undefined) throw RequestError.redirected(status, location)
  const text = Buffer.concat(pieces).toString('utf8')
  return {
    ok: status >= 200 && status < 300,
    status,
    headers: { get: (name) => toHeaderValue(headers[name.toLowerCase()]) },
    body: null,
    text: async () => text,
  }
}

function toHeaderValue(value: string | string[] | undefined): string | null {
  return Array.isArray(value) ? value.join(', ') : (value ?? null)
}
