import { requireKey } from '@fairlead/invariant'
import { BlockList, isIPv6, type Socket } from 'node:net'
import { ApiError } from '@fairlead/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { toNetwork } from '../passwords/network.ts'

export interface ConnectionLimits {
  /** The most open connections of all clients. */
  total: number
  /** The most open connections of one address; for IPv6, of one /64 network, because a customer usually gets one. */
  perAddress: number
  /**
   * Proxies, as in Fastify's `trustProxy`. Instead of their connections, the running requests of each of their clients
   * are limited.
   */
  trustProxy: boolean | string | number
}

const headers = { 'retry-after': '5' }
const tooManyOfAddress = 'Too many connections or requests of your address are open at once; try again later'

/**
 * The most connections beyond a limit whose requests are answered, though never more than the limit itself: a client or
 * a proxy cannot tell a server that closes without a word from a broken one. All others are closed at once.
 */
const mostAnswered = 64
const withAnswered = (limit: number) => limit + Math.min(limit, mostAnswered)

export interface ConnectionPlaces {
  /** Takes a request, and its connection, out of the limit of its address. */
  leave(request: FastifyRequest): void
}

/** Bounds the connections that clients hold open, so that none can take all descriptors and buffers of the process. */
export function limitConnections(
  app: FastifyInstance,
  { total, perAddress, trustProxy }: ConnectionLimits,
): ConnectionPlaces {
  const isProxy = createProxyTest(trustProxy)
  const connections = new Tally(perAddress, withAnswered(perAddress))
  const requests = new Tally(perAddress)
  /** Connections beyond a limit, with what their request is refused for. */
  const beyond = new WeakMap<Socket, 'overloaded' | 'tooManyRequests'>()
  /** What takes a connection, or a request through a proxy, out of the limit of its address. */
  const places = new WeakMap<object, () => void>()
  let open = 0

  app.server.on('connection', (socket: Socket) => {
    // Node's own limit (`maxConnections`) would count the connections of only one of the listening sockets.
    if (open >= withAnswered(total)) {
      socket.destroy()
      return
    }
    open++
    if (open > total) beyond.set(socket, 'overloaded')
    socket.once('close', () => open--)
    const address = socket.remoteAddress
    if (address === undefined || isProxy(address)) return
    const network = toNetwork(address)
    if (connections.isFull(network)) beyond.set(socket, 'tooManyRequests')
    const leave = connections.enter(network)
    if (!leave) {
      socket.destroy()
      return
    }
    places.set(socket, leave)
    socket.once('close', leave)
  })

  app.addHook('onRequest', ({ socket }, _reply, done) => {
    const code = beyond.get(socket)
    const detail = code === 'tooManyRequests' ? { detail: tooManyOfAddress } : {}
    done(code && new ApiError(code, { ...detail, headers: { ...headers, connection: 'close' } }))
  })

  app.addHook('onRequest', (request, reply, done) => {
    const { remoteAddress } = request.socket
    if (remoteAddress === undefined || !isProxy(remoteAddress)) {
      done()
      return
    }
    // A connection that has closed already would never leave.
    if (reply.raw.destroyed) {
      done(new ApiError('clientClosed'))
      return
    }
    const leave = requests.enter(toNetwork(request.ip))
    if (leave) {
      places.set(request.raw, leave)
      reply.raw.once('close', leave)
    }
    done(leave ? undefined : new ApiError('tooManyRequests', { detail: tooManyOfAddress, headers }))
  })

  return {
    leave(request) {
      places.get(request.raw)?.()
      places.get(request.socket)?.()
    },
  }
}

/** Counts open entries, such as connections, by key. */
class Tally {
  readonly #limit: number
  readonly #most: number
  readonly #counts = new Map<string, number>()

  /** @param most how many entries of a key there may be, of which those beyond the limit are refused with an answer */
  constructor(limit: number, most = limit) {
    this.#limit = limit
    this.#most = most
  }

  /** Whether another entry of the key would be beyond the limit. */
  isFull(key: string): boolean {
    return (this.#counts.get(key) ?? 0) >= this.#limit
  }

  /** Returns a function that takes the entry back, once; undefined when there may be no more of the key. */
  enter(key: string): (() => void) | undefined {
    const count = this.#counts.get(key) ?? 0
    if (count >= this.#most) return undefined
    this.#counts.set(key, count + 1)
    let isIn = true
    return () => {
      if (!isIn) return
      isIn = false
      const left = requireKey(this.#counts, key) - 1
      if (left === 0) this.#counts.delete(key)
      else this.#counts.set(key, left)
    }
  }
}

const namedNetworks: Record<string, string[]> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

function createProxyTest(trustProxy: boolean | string | number): (address: string) => boolean {
  if (typeof trustProxy !== 'string') return () => trustProxy !== false && trustProxy !== 0
  const list = new BlockList()
  for (const part of trustProxy.split(',').flatMap((name) => namedNetworks[name.trim()] ?? [name.trim()])) {
    const [address = '', prefix] = part.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (prefix === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(prefix), family)
  }
  return (address) => {
    const plain = address.replace(/^::ffff:/i, '')
    return list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
  }
}
