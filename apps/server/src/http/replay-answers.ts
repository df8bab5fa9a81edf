import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, onSendHookHandler } from 'fastify'
import type { ReadMemo } from '../db/read-memo.ts'

interface KeptAnswer {
  /** The pattern of the route, for the metrics. */
  route: string
  /** Names and values in turn, as `writeHead` takes them. */
  headers: string[]
  body: Buffer
  /** Epoch milliseconds. */
  until: number
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The memo's count of writes before the caller was authenticated. */
    writesBefore: number
    /** Epoch milliseconds until which the answer is true if nothing is written; a route sets it to have it kept. */
    answerHoldsUntil?: number
  }
}

/**
 * Keeps the answers that API tokens get from routes of a scope, with the bytes and headers that are sent. Call this
 * after adding the hooks that change answers, and before adding the one that authenticates. See decision 002.
 */
export function keepAnswers(app: FastifyInstance, memo: ReadMemo): void {
  app.addHook('onRequest', (request, _reply, done) => {
    request.writesBefore = memo.countWrites()
    done()
  })
  const keepAnswer: onSendHookHandler = (request, reply, payload, done) => {
    const { answerHoldsUntil, writesBefore, routeOptions, originalUrl, raw } = request
    if (answerHoldsUntil !== undefined && reply.statusCode === 200 && Buffer.isBuffer(payload)) {
      reply.header('content-length', payload.length)
      const headers = Object.entries(reply.getHeaders()).flatMap(([name, value]) => [name, String(value)])
      const until = Math.min(answerHoldsUntil, request.caller.knownUntil)
      const answer: KeptAnswer = { route: routeOptions.url ?? '', headers, body: payload, until }
      memo.keep(toKey(originalUrl, raw), answer, { weight: payload.length, since: writesBefore })
    }
    done(null, payload)
  }
  app.addHook('onRoute', (route) => {
    if (route.method === 'GET') route.onSend = [...[route.onSend ?? []].flat(), keepAnswer]
  })
}

export interface ReplayOptions {
  memo: ReadMemo
  /** Whether addresses of clients come from X-Forwarded-For. Otherwise a request with it must reach the warning. */
  trustsProxies: boolean
  /** Whether all that happened so far is in the database, and connections stay open after their answers. */
  mayReplay: () => boolean
  /** Counts an answer with the status 200. */
  count: (route: string, seconds: number) => void
}

/**
 * Answers a request for which an answer is kept at once. It passes none of Fastify's hooks, so an answer is kept only
 * while each of them would let it pass. Everything else goes to Fastify. Call this when the application is ready.
 */
export function replayAnswers({ server }: FastifyInstance, options: ReplayOptions): void {
  const { memo, trustsProxies, mayReplay, count } = options
  const others = server.listeners('request')

  const replay = (request: IncomingMessage, response: ServerResponse): boolean => {
    const { headers, method, url = '' } = request
    if (method !== 'GET' || headers['x-service-token'] === undefined || !mayReplay()) return false
    if (specialHeaders.some((name) => headers[name] !== undefined)) return false
    if (!trustsProxies && headers['x-forwarded-for'] !== undefined) return false
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing else keeps values under keys of this form
    const answer = memo.find(toKey(url, request)) as KeptAnswer | undefined
    if (answer === undefined || answer.until <= Date.now()) return false
    const start = performance.now()
    response.writeHead(200, answer.headers)
    response.end(answer.body)
    count(answer.route, (performance.now() - start) / 1000)
    return true
  }

  server.removeAllListeners('request')
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    if (replay(request, response)) return
    for (const other of others) Reflect.apply(other, server, [request, response])
  }
  server.on('request', (request, response) => {
    // A pipelined request waits for the answers before its own: it must see what a write before it has changed, and one
    // connection with many requests must take turns with others. Node gives a response its socket when its turn comes.
    if (response.socket === null) response.once('socket', () => answer(request, response))
    else answer(request, response)
  })
}

/** Headers with which a request has a body to be read, or may get another answer. */
const specialHeaders = ['content-length', 'transfer-encoding', 'expect', 'x-no-compression', 'authorization']

function toKey(url: string, { headers }: IncomingMessage): string {
  return `answer ${url} ${headers['accept-encoding'] ?? ''} ${String(headers['x-service-token'])}`
}
