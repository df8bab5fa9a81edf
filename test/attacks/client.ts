import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'

export interface Sent {
  method?: string
  token?: string
  headers?: Record<string, string>
  json?: unknown
  body?: Uint8Array | string
  /** Hangs up when it is aborted, and the promise rejects. */
  signal?: AbortSignal
}

export interface Received {
  status: number
  text: string
  /** From the first byte sent to the last received, in milliseconds. */
  durationMs: number
}

export interface Client {
  send(path: string, options?: Sent): Promise<Received>
  /** The local address of its connections. */
  readonly address: string
}

/** A client with an address of its own: on Linux every address of 127.0.0.0/8 reaches the server. */
export function createClient(url: string, address: string): Client {
  const agent = new Agent({ keepAlive: true, localAddress: address })
  return {
    address,
    async send(path, options = {}) {
      for (;;) {
        try {
          return await attempt(path, options)
        } catch (error) {
          // The server may close an idle connection at the moment it is used again; a browser tries again, too.
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
    sent.end(json === undefined ? body : JSON.stringify(json))
    const [answer] = (await once(sent, 'response').catch((cause: unknown) => {
      const wasClosed = cause instanceof Error && 'code' in cause && cause.code === 'ECONNRESET'
      throw wasClosed && sent.reusedSocket ? new ConnectionReused('the connection was closed', { cause }) : cause
    })) as [IncomingMessage]
    const text = (await buffer(answer)).toString()
    return { status: answer.statusCode ?? 0, text, durationMs: performance.now() - startedAt }
  }
}

class ConnectionReused extends Error {}
