import { exchange as exchangeByPlatform, measure, transmit as transmitByPlatform } from '#transport'
import { RequestError, toRequestError } from './request-error.ts'
import { mayHaveHappened, type Retry, withRetries } from './retry.ts'
import type { Answer, Exchange, PlainRequest, Transmit, UploadFile } from './transport/transport.ts'

export interface ConnectionOptions {
  /** Address of the server, without a slash at its end; an empty text is the page's own origin. */
  baseUrl: string
  /** An API token. Without one, requests are authenticated by the browser's session cookie. */
  token?: string | undefined
  /** Returns additional headers, such as the CSRF token of a session. It is called before each request. */
  headers?: (() => Record<string, string>) | undefined
  /** How often a request is tried again after a temporary fault. Default 3. */
  retries?: number | undefined
  /**
   * How long an upload of a build is tried again while no byte arrives, in milliseconds, even after more attempts than
   * `retries`: a server that restarts needs a while. Default one minute, or 0 if `retries` is given.
   */
  uploadRetryMs?: number | undefined
  /** A request fails if no byte is sent or received for this long, in milliseconds. Default one minute. */
  idleTimeoutMs?: number | undefined
  /** Called before a request is tried again. */
  onRetry?: ((retry: Retry) => void) | undefined
  /** Replaces the function that sends the bodies of uploads. */
  transmit?: Transmit | undefined
  /** Stands between the client and the function that sends requests which are no uploads, such as for a cache. */
  exchange?: ((url: string, request: PlainRequest, send: Exchange) => Promise<Answer>) | undefined
}

/** The value of a name, or several of them. */
export type Query = Record<string, string | number | readonly string[] | undefined>

/** Options that every call takes. */
export interface CallOptions {
  signal?: AbortSignal | undefined
}

interface Message extends CallOptions {
  query?: Query | undefined
  headers?: Record<string, string> | undefined
  /** Sent as JSON; a text and a Blob go as they are. */
  body?: unknown
  /** Whether a POST may be sent again when its answer was lost. Other methods always may. */
  isRepeatable?: boolean | undefined
  idleTimeoutMs?: number | undefined
  /** Whether the answer may be a large file, and may redirect to the object store that has it. */
  isDownload?: boolean | undefined
}

/** The server to call, with the credentials of the caller. */
export interface Connection {
  readonly retries: number
  readonly uploadRetryMs: number
  readonly idleTimeoutMs: number
  readonly onRetry: ((retry: Retry) => void) | undefined
  readonly transmit: Transmit
  /** Returns the size of a file in bytes; undefined for a stream, whose size is not known before it is read. */
  readonly measure: (file: UploadFile) => Promise<number | undefined>
  toUrl: (path: string, query?: Query) => string
  headers: () => Record<string, string>
  /** Sends a request and returns the answer, whose body the caller reads. */
  open: (method: string, path: string, message?: Message) => Promise<Answer>
  /** Sends a request and ignores the body of the answer. */
  send: (method: string, path: string, message?: Message) => Promise<void>
  /** Sends a request and returns the parsed JSON of its answer. */
  request: <Content>(method: string, path: string, message?: Message) => Promise<Content>
}

export function openConnection(options: ConnectionOptions): Connection {
  const { baseUrl, token, retries = 3, idleTimeoutMs = 60_000, onRetry, transmit = transmitByPlatform } = options
  const { uploadRetryMs = options.retries === undefined ? 60_000 : 0 } = options
  const headers = () => ({ ...(token === undefined ? {} : { 'X-Service-Token': token }), ...options.headers?.() })

  const toUrl = (path: string, query: Query = {}) => {
    const given = Object.entries(query).flatMap(([name, value]) => {
      const values = value === undefined || value === '' ? [] : Array.isArray(value) ? value : [value]
      return values.map((one) => [name, String(one)])
    })
    return baseUrl + path + (given.length > 0 ? `?${new URLSearchParams(given).toString()}` : '')
  }

  const attempt = async (method: string, path: string, message: Message) => {
    const content = toContent(message.body)
    const request = {
      method,
      headers: { ...headers(), ...content.headers, ...message.headers },
      body: content.body,
      idleTimeoutMs: message.idleTimeoutMs ?? idleTimeoutMs,
      signal: message.signal,
      isDownload: message.isDownload === true,
    }
    const url = toUrl(path, message.query)
    return options.exchange
      ? await options.exchange(url, request, exchangeByPlatform)
      : await exchangeByPlatform(url, request)
  }

  const open = async (method: string, path: string, message: Message = {}) =>
    await withRetries(
      async (earlier) => {
        const response = await attempt(method, path, message)
        // An earlier attempt deleted the resource and its answer was lost, so 404 means success.
        if (method === 'DELETE' && response.status === 404 && mayHaveHappened(earlier)) return response
        if (response.ok) return response
        throw toRequestError(response.status, await response.text(), response.headers.get('Retry-After'))
      },
      { retries, isRepeatable: message.isRepeatable ?? method !== 'POST', signal: message.signal, onRetry },
    )

  return {
    retries,
    uploadRetryMs,
    idleTimeoutMs,
    onRetry,
    transmit,
    measure,
    toUrl,
    headers,
    open,
    send: async (method, path, message) => void (await (await open(method, path, message)).text()),
    request: async <Content>(method: string, path: string, message?: Message) =>
      await readJson<Content>(await open(method, path, message)),
  }
}

/** Reads an answer as JSON, as `parseJson` does. */
export async function readJson<Content>(response: Answer): Promise<Content> {
  return parseJson<Content>(response.status, await response.text())
}

/**
 * Parses an answer. Throws `RequestError` if it is not JSON, such as the page of a captive portal.
 * The server's tests validate its answers against the schemas that the types come from.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the type of the answer
export function parseJson<Content>(status: number, text: string): Content {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server's tests hold its answers to the types
    return JSON.parse(text) as Content
  } catch (cause) {
    throw RequestError.notJson(status, cause)
  }
}

function toContent(body: unknown): { headers: Record<string, string>; body: string | Blob | null } {
  if (body === undefined) return { headers: {}, body: null }
  if (body instanceof Blob) return { headers: { 'Content-Type': 'application/octet-stream' }, body }
  if (typeof body === 'string') return { headers: { 'Content-Type': 'text/plain; charset=utf-8' }, body }
  return { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
}
