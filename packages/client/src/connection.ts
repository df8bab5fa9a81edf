import { RequestError, toRequestError } from './request-error.ts'

export interface ConnectionOptions {
  /** Where the server is, without a slash at its end; an empty text is the page's own origin. */
  baseUrl: string
  /** An API token. Without one the browser's session cookie speaks for the caller. */
  token?: string
  /** More headers, asked for anew at each request: those of a session. */
  headers?: () => Record<string, string>
}

export type Query = Record<string, string | number | undefined>

interface Message {
  query?: Query | undefined
  /** Sent as JSON; a text goes as it is. */
  body?: unknown
  signal?: AbortSignal | undefined
}

/** A server and who asks. */
export interface Connection {
  toUrl: (path: string, query?: Query) => string
  headers: () => Record<string, string>
  send: (method: string, path: string, message?: Message) => Promise<Response>
  /** The same, with the JSON of the answer. */
  request: <Answer>(method: string, path: string, message?: Message) => Promise<Answer>
}

export function openConnection({ baseUrl, token, headers: addHeaders }: ConnectionOptions): Connection {
  const headers = () => ({ ...(token === undefined ? {} : { 'X-Service-Token': token }), ...addHeaders?.() })
  const toUrl = (path: string, query: Query = {}) => {
    const given = Object.entries(query).flatMap(([name, value]) =>
      value === undefined || value === '' ? [] : [[name, String(value)]],
    )
    return baseUrl + path + (given.length > 0 ? `?${new URLSearchParams(given).toString()}` : '')
  }

  const send = async (method: string, path: string, { query, body, signal }: Message = {}) => {
    const content = toContent(body)
    const response = await fetch(toUrl(path, query), {
      method,
      headers: { ...headers(), ...content.headers },
      body: content.body,
      signal: signal ?? null,
    }).catch((cause: unknown) => {
      throw signal?.aborted === true ? cause : RequestError.unreachable(cause)
    })
    if (!response.ok) throw toRequestError(response.status, await response.text())
    return response
  }

  return {
    toUrl,
    headers,
    send,
    request: async <Answer>(method: string, path: string, message?: Message) =>
      // The server validates what it sends against the schemas these types come from.
      (await (await send(method, path, message)).json()) as Answer,
  }
}

function toContent(body: unknown): { headers: Record<string, string>; body: string | null } {
  if (body === undefined) return { headers: {}, body: null }
  if (typeof body === 'string') return { headers: { 'Content-Type': 'text/plain; charset=utf-8' }, body }
  return { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
}
