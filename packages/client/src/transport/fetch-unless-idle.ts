import { RequestError } from '../request-error.ts'
import type { followRedirects } from './follow-redirects.ts'
import { createIdleTimer } from './idle-timer.ts'
import type { PlainRequest } from './transport.ts'

/**
 * `fetch` with a limit on the wait for the head of the answer and for each part of its body, but not on the whole.
 * Throws `RequestError` with status 0 when no answer comes, and the signal's reason when it was aborted. `send` says
 * how redirects are followed.
 */
export async function fetchUnlessIdle(
  url: string,
  { method, headers, body, idleTimeoutMs, signal }: PlainRequest,
  send: typeof followRedirects = fetch,
): Promise<Response> {
  signal?.throwIfAborted()
  const ending = new AbortController()
  const abort = () => ending.abort(signal?.reason)
  signal?.addEventListener('abort', abort, { once: true })
  const forget = () => signal?.removeEventListener('abort', abort)
  const whileActive = async <Value>(wait: () => Promise<Value>): Promise<Value> => {
    const timer = createIdleTimer(idleTimeoutMs, () => ending.abort(RequestError.timedOut(idleTimeoutMs)))
    try {
      return await wait()
    } catch (cause) {
      forget()
      throw ending.signal.aborted ? ending.signal.reason : RequestError.unreachable(cause)
    } finally {
      timer.stop()
    }
  }
  const response = await whileActive(() => send(url, { method, headers, body, signal: ending.signal }))
  // Chromium gives answers of these statuses an empty body, and throws when a Response of them is made with a body.
  const isEmpty = [204, 205, 304].includes(response.status)
  if (response.body && !isEmpty) return copyWithBody(response, watchBody(response.body, whileActive, forget))
  forget()
  return response
}

function copyWithBody({ status, statusText, headers }: Response, body: ReadableStream<Uint8Array>): Response {
  return new Response(body, { status, statusText, headers })
}

/** Passes a body on. Only the time during which the reader waits for the next part counts as idle. */
function watchBody(
  body: ReadableStream<Uint8Array>,
  whileActive: <Value>(wait: () => Promise<Value>) => Promise<Value>,
  onEnd: () => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await whileActive(() => reader.read())
      if (!done) {
        controller.enqueue(value)
        return
      }
      onEnd()
      controller.close()
    },
    async cancel(reason) {
      onEnd()
      await reader.cancel(reason)
    },
  })
}
