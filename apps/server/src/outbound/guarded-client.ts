/**
 * The client for addresses that users give. They must not lead into the network of the server, so the address is
 * checked when the connection is made, and the connection goes to an address that was checked: a name can resolve to
 * something else a moment later. Redirects are answers like others and never followed. No proxy is used, no connection
 * is used twice.
 */
import type { LookupAddress } from 'node:dns'
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import type { LookupFunction, Socket } from 'node:net'
import type { HooksAllow } from '../settings/hooks-allow.ts'
import { findLiteral, findUrlFault, toPort } from './check-url.ts'
import { isRefused } from './networks.ts'
import { type OutboundCode, OutboundError } from './outbound-error.ts'
import { type AnswerBody, readAnswer } from './read-answer.ts'

const connectMs = 5000
const headersMs = 15_000
const maxHeaderBytes = 16 * 1024

export interface OutboundRequest {
  url: string
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body?: Buffer
  signal?: AbortSignal
}

export interface OutboundAnswer extends AnswerBody {
  status: number
  headers: IncomingMessage['headers']
}

/** Resolves a name to all its addresses. */
export type Resolve = (name: string, done: (error: Error | null, addresses: LookupAddress[]) => void) => void

interface Options {
  allow: HooksAllow
  resolve: Resolve
}

/** @throws {OutboundError} for every request that gets no answer; no packet is sent to an address that is refused */
export async function sendGuarded({ allow, resolve }: Options, outbound: OutboundRequest): Promise<OutboundAnswer> {
  // The settings may have changed since the address was saved.
  if (findUrlFault(allow, outbound.url) !== undefined) throw new OutboundError('addressRefused')
  const url = new URL(outbound.url)
  const isSecure = url.protocol === 'https:'
  // `lookup` is not called for a literal address, which `findUrlFault` has checked.
  const lookup = createGuardedLookup(allow, resolve, toPort(url))
  const agent = isSecure ? new HttpsAgent({ keepAlive: false }) : new HttpAgent({ keepAlive: false })
  const options = {
    method: outbound.method,
    agent,
    lookup,
    maxHeaderSize: maxHeaderBytes,
    headers: { ...outbound.headers, ...(outbound.body && { 'content-length': String(outbound.body.length) }) },
  }
  const request = isSecure ? requestHttps(url, options) : requestHttp(url, options)
  const timers = new Timers((cause) => request.destroy(new OutboundError('timeout', { cause })))
  const abort = () => request.destroy(new OutboundError('reset', { cause: outbound.signal?.reason }))
  outbound.signal?.addEventListener('abort', abort)
  let phase: OutboundCode = findLiteral(url) === undefined ? 'dns' : 'connect'
  try {
    const response = await new Promise<IncomingMessage>((done, fail) => {
      timers.start('the connection', connectMs)
      timers.start('the headers', headersMs)
      request.once('response', done)
      request.on('error', (cause) => fail(cause instanceof OutboundError ? cause : new OutboundError(phase, { cause })))
      request.once('socket', (socket: Socket) => {
        const connected = () => {
          phase = 'reset'
          timers.end('the connection')
        }
        socket.once('lookup', (error) => {
          if (error === null) phase = 'connect'
        })
        socket.once('connect', () => {
          if (isSecure) phase = 'tls'
          else connected()
        })
        if (isSecure) socket.once('secureConnect', connected)
      })
      if (outbound.signal?.aborted === true) abort()
      request.end(outbound.body)
    })
    timers.end('the headers')
    return { status: response.statusCode ?? 0, headers: response.headers, ...(await readAnswer(response)) }
  } finally {
    outbound.signal?.removeEventListener('abort', abort)
    timers.endAll()
    request.destroy()
    agent.destroy()
  }
}

/** Creates the `lookup` of a connection: it fails unless all addresses of the name are allowed. */
function createGuardedLookup(allow: HooksAllow, resolve: Resolve, port: number): LookupFunction {
  return (host, options, callback) => {
    resolve(host, (error, found) => {
      const family = options.family === 'IPv4' ? 4 : options.family === 'IPv6' ? 6 : (options.family ?? 0)
      const addresses = found.filter((one) => family === 0 || one.family === family)
      const [first] = addresses
      if (error || !first) return callback(new OutboundError('dns', { cause: error }), '')
      // All of them count, not only those of the wanted family: a name with one refused address is not to be trusted.
      if (found.some(({ address }) => isRefused(allow, { address, host, port }))) {
        return callback(new OutboundError('addressRefused'), '')
      }
      // Node asks for all addresses to try one after another, unless `autoSelectFamily` is off.
      if (options.all === true) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
}

/** Timers that end a request. */
class Timers {
  readonly #fire: (cause: Error) => void
  readonly #running = new Map<string, NodeJS.Timeout>()

  constructor(fire: (cause: Error) => void) {
    this.#fire = fire
  }

  start(name: string, ms: number): void {
    this.#running.set(
      name,
      setTimeout(() => this.#fire(new Error(`${name} took too long`)), ms),
    )
  }

  end(name: string): void {
    clearTimeout(this.#running.get(name))
    this.#running.delete(name)
  }

  endAll(): void {
    for (const name of this.#running.keys()) this.end(name)
  }
}
