import type { ClientRequest, IncomingMessage } from 'node:http'
import { RequestError } from '../request-error.ts'
import { createIdleTimer, type IdleTimer } from './idle-timer.ts'
import { loadHttp } from './load-http.ts'
import { measureNodeFile, openNodeFile } from './node-file.ts'
import type { Transmission, TransmissionAnswer } from './transport.ts'

export { exchange } from './node-exchange.ts'
export { measureNodeFile as measure }

/** How long to wait for "100 Continue" before sending anyway: not every proxy knows it. */
const continueTimeoutMs = 1000
/** How long an aborted upload waits for the answer of a server that has all its bytes, in milliseconds. */
const abortGraceMs = 15_000
/** For a body of fewer bytes, waiting for "100 Continue" takes longer than sending it. */
const smallestAskedFor = 64 * 1024

/**
 * Sends a file by `node:http`, which unlike `fetch` can ask by `Expect: 100-continue` whether the file is wanted at
 * all: a wrong token or an unknown alias is answered before a byte of the file leaves.
 */
export async function transmit(transmission: Transmission): Promise<TransmissionAnswer> {
  const { start, signal, onProgress, idleTimeoutMs, answerTimeoutMs } = transmission
  signal?.throwIfAborted()
  const file = await openNodeFile(transmission.file, transmission.size, transmission.start)
  // A PATCH needs no "100 Continue", because the server has already accepted the upload.
  const asks =
    transmission.method === 'POST' &&
    maySayExpect(transmission) &&
    (file.size === undefined || file.size >= smallestAskedFor)
  const request = await openRequest(transmission, file.size, asks)
  let grace: NodeJS.Timeout | undefined
  let isSent = false
  // The server that has every byte may be making the build at this moment. Its answer says whether there is one.
  const abort = () => {
    if (isSent) grace = setTimeout(() => request.destroy(), abortGraceMs)
    else request.destroy()
  }
  request.once('finish', () => (isSent = true))
  signal?.addEventListener('abort', abort)
  const timer = createIdleTimer(idleTimeoutMs, () => request.destroy(RequestError.timedOut(idleTimeoutMs)))
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve)
    // This listener stays, because a connection may also break after its answer.
    request.on('error', reject)
  })
  // If reading the file fails first, nothing awaits this promise, and its rejection must not be unhandled.
  answered.catch(() => {})
  try {
    const isAnswered = asks && (await waitForContinue(request, answered))
    if (!isAnswered) {
      const sending = sendBody(request, file.chunks, (sent) => {
        timer.touch()
        onProgress?.({ sent: start + sent, total: start + (file.size ?? Infinity) })
      })
      // The race ends with the answer or a fault even if the stream gives no further chunk.
      sending.catch(() => {})
      await Promise.race([sending, answered.catch(() => {})])
    }
    timer.touch(answerTimeoutMs)
    return await readAnswer(answered, timer)
  } catch (error) {
    throw signal?.aborted === true ? signal.reason : error
  } finally {
    signal?.removeEventListener('abort', abort)
    clearTimeout(grace)
    timer.stop()
    // After an answer before the end of the body, nothing else can be sent on this connection.
    if (!request.writableFinished) request.destroy()
    await file.close()
  }
}

/**
 * Header values here are UTF-8 bytes, one per character. Node writes a head that has `Expect` as UTF-8, which would
 * encode them a second time, and every other head as latin1, which leaves them alone.
 */
function maySayExpect({ headers }: Transmission): boolean {
  return Object.values(headers).every((value) => /^[\x20-\x7e]*$/.test(value))
}

async function openRequest(
  { method, url, headers }: Transmission,
  size: number | undefined,
  asks: boolean,
): Promise<ClientRequest> {
  const { request } = await loadHttp(url)
  return request(url, {
    method,
    headers: {
      ...headers,
      ...(size === undefined ? { 'Transfer-Encoding': 'chunked' } : { 'Content-Length': String(size) }),
      ...(asks && { Expect: '100-continue' }),
    },
  })
}

/** Waits until the server wants the body, answers without it, or is silent for a second. True when it answered. */
async function waitForContinue(request: ClientRequest, answered: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  request.flushHeaders()
  const asked = new Promise<boolean>((resolve) => {
    request.once('continue', () => resolve(false))
    // The time counts from the moment of the connection.
    request.once('socket', (socket) => {
      const start = () => (timer = setTimeout(resolve, continueTimeoutMs, false))
      if (socket.connecting) socket.once('connect', start)
      else start()
    })
  })
  const isAnswered = await Promise.race([asked, answered.then(Boolean, Boolean)])
  clearTimeout(timer)
  return isAnswered
}

/**
 * Writes the body until it ends or the server answers early: one chunk is read while the last one is sent. Throws what
 * reading it throws.
 */
async function sendBody(
  request: ClientRequest,
  chunks: AsyncIterable<Uint8Array>,
  onSent: (sent: number) => void,
): Promise<void> {
  let goOn = () => {}
  let hasAnswer = false
  request.once('response', () => (hasAnswer = true))
  for (const event of ['response', 'close']) request.on(event, () => goOn())
  const isOver = () => request.destroyed || hasAnswer
  let sent = 0
  const write = async (chunk: Uint8Array) => {
    // A connection that breaks is reported where the answer is awaited.
    await new Promise<void>((resolve) => {
      goOn = resolve
      request.write(chunk, () => resolve())
    })
    if (isOver()) return
    sent += chunk.byteLength
    onSent(sent)
  }
  let writing = Promise.resolve()
  for await (const chunk of chunks) {
    await writing
    if (isOver()) return
    writing = write(chunk)
  }
  await writing
  if (!isOver()) request.end()
}

async function readAnswer(answered: Promise<IncomingMessage>, timer: IdleTimer): Promise<TransmissionAnswer> {
  try {
    const response = await answered
    let text = ''
    response.setEncoding('utf8')
    for await (const chunk of response) {
      timer.touch()
      text += String(chunk)
    }
    return { status: response.statusCode ?? 0, text, retryAfter: response.headers['retry-after'] ?? null }
  } catch (cause) {
    throw cause instanceof RequestError ? cause : RequestError.unreachable(cause)
  }
}
