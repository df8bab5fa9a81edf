/** Calls of a test to a server, whichever it is and wherever it runs. */

export interface CallOptions {
  /** A token other than the server's, or null for none. */
  token?: string | null
  headers?: Record<string, string>
  json?: unknown
  body?: NonNullable<RequestInit['body']>
}

export interface Answer {
  status: number
  headers: Headers
  bytes: Buffer
  text: string
  /** The body as JSON, untyped like for any external client; tests assert its shape. */
  // oxlint-disable-next-line typescript/no-explicit-any
  json: any
}

/** The token that the tests' servers are started with. */
export const initialToken = 'fl_initial-token-of-the-tests-0123456789'

/** Calls a server at any address. */
export async function call(base: string, method: string, path: string, options: CallOptions = {}): Promise<Answer> {
  const { token = initialToken, headers = {}, json, body } = options
  const response = await fetch(base + path, {
    method,
    redirect: 'manual',
    headers: {
      ...(token !== null && { 'X-Service-Token': token }),
      ...(json !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(json !== undefined && { body: JSON.stringify(json) }),
    ...(body !== undefined && { body, duplex: 'half' as const }),
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  const text = bytes.toString('utf8')
  const isJson = bytes.length > 0 && response.headers.get('content-type')?.startsWith('application/json') === true
  return {
    status: response.status,
    headers: response.headers,
    bytes,
    text,
    json: isJson ? JSON.parse(text) : undefined,
  }
}
