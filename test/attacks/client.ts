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
    async send(path, { method = 'GET', token, headers = {}, json, body, signal } = {}) {
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
      const [answer] = (await once(sent, 'response')) as [IncomingMessage]
      const text = (await buffer(answer)).toString()
      return { status: answer.statusCode ?? 0, text, durationMs: performance.now() - startedAt }
    },
  }
}
