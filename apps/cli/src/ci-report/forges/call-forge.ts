import { setTimeout } from 'node:timers/promises'

/** A request of the API of a forge that was refused or got no answer. */
export class ForgeError extends Error {
  override readonly name = 'ForgeError'
  /** Status of the answer; 0 without one. */
  readonly status: number

  constructor(status: number, message: string, cause?: unknown) {
    super(message, { cause })
    this.status = status
  }
}

export interface ForgeCall {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  headers: Record<string, string>
  body?: unknown
  signal: AbortSignal
}

const attempts = 5
const timeoutMs = 30_000
const firstPauseMs = 500
const longestPauseMs = 30_000
/** The most bytes of an answer that are read. */
const maxAnswer = 16 * 2 ** 20

/**
 * Sends a request to a forge and returns the parsed answer, or undefined for an empty one. Repeats it when the forge is
 * overloaded or limits the rate. A redirect is refused, because the token would go with it.
 */
export async function callForge(url: string, call: ForgeCall): Promise<unknown> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await callOnce(url, call)
    } catch (error) {
      if (!(error instanceof ForgeError) || attempt === attempts || !isTemporary(error.status)) throw error
      // Half of the pause is random, so that jobs that started together do not repeat together.
      const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** attempt) * (0.5 + Math.random() / 2)
      await setTimeout(pauseMs, undefined, { signal: call.signal })
    }
  }
}

function isTemporary(status: number): boolean {
  return status === 0 || status === 409 || status === 429 || status >= 500
}

async function callOnce(url: string, { method = 'GET', headers, body, signal }: ForgeCall): Promise<unknown> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const type: Record<string, string> = body === undefined ? {} : { 'Content-Type': 'application/json' }
  const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  const all = { 'User-Agent': 'fairlead', ...type, ...headers }
  const response = await fetch(url, { method, headers: all, ...sent, redirect: 'manual', signal: limited }).catch(
    (cause: unknown) => {
      signal.throwIfAborted()
      throw new ForgeError(0, `${new URL(url).host} gives no answer`, cause)
    },
  )
  const text = await readText(response)
  const place = `${method} ${new URL(url).pathname}`
  if (!response.ok)
    throw new ForgeError(response.status, `${place} was answered with ${response.status}: ${toHead(text)}`)
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ForgeError(response.status, `${place} was not answered with JSON`, cause)
  }
}

async function readText(response: Response): Promise<string> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of response.body ?? []) {
    length += piece.byteLength
    if (length > maxAnswer) throw new ForgeError(response.status, 'The answer of the forge is too long')
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}

function toHead(text: string): string {
  return text.replaceAll(/\s+/g, ' ').slice(0, 200)
}
