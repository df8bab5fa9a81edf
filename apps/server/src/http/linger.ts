/**
 * Reads on after an answer that was given before the end of the request's body. Closing a connection on which bytes
 * still arrive resets it, and a reset takes the answer from a client, or a proxy, that has not read it yet: nginx then
 * says 502 instead of 413. Node closes at once after an answer with `Connection: close`, which is what proxies ask for.
 */
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { ApiError } from '@fairlead/contract'
import type { FastifyInstance } from 'fastify'

export interface LingerLimits {
  /** How long a refused client may go on sending, in milliseconds. */
  totalMs: number
  /** How long it may send nothing meanwhile. */
  silenceMs: number
  /** The most bytes that are read and dropped for one answer. */
  bytes: number
  /** The most connections that are read on at a time; those beyond are closed at once. */
  connections: number
}

/**
 * Nobody needs what is dropped, so it must not take the time of the event loop from others: Node copies each chunk of a
 * body. One of these connections at a time may send this many bytes, and the next one follows after a pause. A busy
 * loop comes to its timers once in a turn, so it reads for one connection in each.
 */
const shareBytes = 256 * 1024
const pauseMs = 2

const defaultLimits: LingerLimits = {
  totalMs: 10_000,
  silenceMs: 5000,
  bytes: 256 * 2 ** 20,
  connections: 256,
}

/**
 * Lets the clients of a server go on sending for a while after an early answer. Their bytes are dropped as they come,
 * and whatever the request held goes back with the answer; the connection still counts as open. Call this before other
 * hooks are added, because a request that a hook refuses needs it as well.
 */
export function lingerAfterAnswers(app: FastifyInstance, limits: LingerLimits = defaultLimits): void {
  /** Connections whose last answer was given. */
  const ending = new WeakSet<Socket>()
  /** Bodies that wait for their share; the first is the next. */
  const waiting = new Set<IncomingMessage>()
  let timer: NodeJS.Timeout | undefined
  let count = 0

  const waitForShare = (request: IncomingMessage) => {
    request.pause()
    waiting.add(request)
    timer ??= setTimeout(readNext, pauseMs)
  }
  const readNext = () => {
    timer = undefined
    const [next] = waiting
    if (!next) return
    waiting.delete(next)
    next.resume()
    if (waiting.size > 0) timer = setTimeout(readNext, pauseMs)
  }

  const linger = (request: IncomingMessage) => {
    const { socket } = request
    if (count >= limits.connections) {
      socket.destroy()
      return
    }
    count++
    const close = () => void socket.destroy()
    const total = setTimeout(close, limits.totalMs).unref()
    const silence = setTimeout(close, limits.silenceMs).unref()
    let bytes = 0
    const onData = (chunk: Buffer) => {
      bytes += chunk.length
      silence.refresh()
      if (bytes > limits.bytes) close()
      else if (Math.floor(bytes / shareBytes) > Math.floor((bytes - chunk.length) / shareBytes)) waitForShare(request)
    }
    const stop = () => {
      clearTimeout(total)
      clearTimeout(silence)
      request.off('data', onData).off('end', stop)
      socket.off('close', stop)
      waiting.delete(request)
      count--
      Reflect.deleteProperty(socket, 'destroySoon')
      if (ending.has(socket)) socket.destroySoon()
    }
    request.on('data', onData).once('end', stop)
    socket.once('close', stop)
    // Node calls this method now, when the answer was the last one of its connection. `stop` uncovers the original.
    socket.destroySoon = () => {
      ending.add(socket)
      socket.end()
    }
    request.resume()
  }

  app.addHook('onRequest', ({ raw }, reply, done) => {
    // A request that was sent behind the last one of its connection is not carried out.
    if (ending.has(raw.socket)) {
      done(new ApiError('clientClosed'))
      return
    }
    const { 'content-length': length, 'transfer-encoding': encoding } = raw.headers
    if (encoding !== undefined || Number(length ?? 0) > 0) {
      // Node's own listener decides on the connection, so this one has to come before it.
      reply.raw.prependListener('finish', () => {
        if (!raw.complete && !raw.destroyed) linger(raw)
      })
    }
    done()
  })
}
