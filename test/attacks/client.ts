import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'

export interface Sent {
  method?: string
  token?: string
  headers?: Record<string, string>
  json?: unknown
  body?: Uint8Array | string
  /** Aborts the request: the connection is closed and the promise rejects. */
  signal?: AbortSignal
}

export interface Received {
  status: number
  headers: IncomingHttpHeaders
  text: string
  /** The milliseconds from the first byte sent to the last byte received. */
  durationMs: number
}

export interface Client {
  send(path: string, options?: Sent): Promise<Received>
  /** The local address of its connections. */
  readonly address: string
}

/** Creates a client with an IP address of its own: on Linux every address of 127.0.0.0/8 reaches the server. */
export function createClient(url: string, address: string): Client {
  const agent = new Agent({ keepAlive: true, localAddress: address })
  return {
    address,
    async send(path, options = {}) {
      for (;;) {
        try {
          return await attempt(path, options)
        } catch (error) {
          // The server may close an idle connection just when it is used again. Browsers repeat the request, too.
          if (!(error instanceof ConnectionReused)) throw error
        }
      }
    },
  }

  async function attempt(
    path: string,
    { method = 'GET', token, headers = {}, json, body, signal }: Sent,
  ): Promise<Received> {
    const startedAt = performance.now()
    const sent = request(url + path, {
      method,
      agent,
      ...(signal && { signal }),
      headers: {
        ...(token !== undefined && { 'X-Service-Token': token }),
        ...(json !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
    })
    // A server that refuses a body resets the connection after its answer, which must not end this process.
    sent.on('error', () => {})
    sent.end(json === undefined ? body : JSON.stringify(json))
    const [answer]: IncomingMessage[] = await once(sent, 'response').catch((cause: unknown) => {
      const wasClosed = cause instanceof Error && 'code' in cause && cause.code === 'ECONNRESET'
      throw wasClosed && sent.reusedSocket ? new ConnectionReused('the connection was closed', { cause }) : cause
    })
    assert.ok(answer)
    const text = (await buffer(answer)).toString()
    const { statusCode: status = 0, headers: received } = answer
    return { status, headers: received, text, durationMs: performance.now() - startedAt }
  }
}

class ConnectionReused extends Error {}
