import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, onSendHookHandler } from 'fastify'
import type { Changes } from '../db/changes.ts'
import { createWeightedMap, type WeightedMap } from '../db/weighted-map.ts'

/** Says how long an answer is true. */
export interface AnswerHold {
  /** Epoch milliseconds until which the answer is true if nothing that it is made of changes. */
  until: number
  /**
   * Tells whether nothing has changed of what the answer, and the right of its caller to it, are made of. It is asked
   * each time before the answer is sent again.
   */
  isCurrent: () => boolean | Promise<boolean>
}

interface KeptAnswer extends AnswerHold {
  /** The pattern of the route, for the metrics. */
  route: string
  /** Names and values in turn, as `writeHead` takes them. */
  headers: string[]
  body: Buffer
}

export type KeptAnswers = WeightedMap<KeptAnswer>

declare module 'fastify' {
  interface FastifyRequest {
    /** What `changes.now()` returned before the caller was authenticated; 0 over PostgreSQL. */
    changesBefore: number
    /** A route sets it to have its answer kept. */
    answerHold?: AnswerHold
  }
}

/** The bound of all kept answers in bytes. */
const limit = 32 * 2 ** 20
/** The most answers that are checked in the database at a time; further requests are answered without. */
const maxChecks = 100

export function createKeptAnswers(): KeptAnswers {
  return createWeightedMap<KeptAnswer>(limit)
}

/**
 * Keeps the answers that API tokens get from routes of a scope, with the bytes and headers that are sent. Call this
 * after adding the hooks that change answers, and before adding the one that authenticates. See decision 002.
 */
export function keepAnswers(app: FastifyInstance, kept: KeptAnswers, changes: Changes | undefined): void {
  app.addHook('onRequest', (request, _reply, done) => {
    request.changesBefore = changes?.now() ?? 0
    done()
  })
  const keepAnswer: onSendHookHandler = (request, reply, payload, done) => {
    const { answerHold, routeOptions, originalUrl, raw } = request
    if (answerHold !== undefined && reply.statusCode === 200 && Buffer.isBuffer(payload)) {
      reply.header('content-length', payload.length)
      const headers = Object.entries(reply.getHeaders()).flatMap(([name, value]) => [name, String(value)])
      const until = Math.min(answerHold.until, request.caller.knownUntil)
      const { isCurrent } = answerHold
      if (until > Date.now()) {
        const answer = { route: routeOptions.url ?? '', headers, body: payload, until, isCurrent }
        kept.set(toKey(originalUrl, raw), answer, payload.length)
      }
    }
    done(null, payload)
  }
  app.addHook('onRoute', (route) => {
    if (route.method === 'GET') route.onSend = [...[route.onSend ?? []].flat(), keepAnswer]
  })
}

export interface ReplayOptions {
  kept: KeptAnswers
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
  const { kept, trustsProxies, mayReplay, count } = options
  const others = server.listeners('request')
  let checks = 0

  const find = (request: IncomingMessage): KeptAnswer | undefined => {
    const { headers, method, url = '' } = request
    if (method !== 'GET' || headers['x-service-token'] === undefined || !mayReplay()) return undefined
    if (specialHeaders.some((name) => headers[name] !== undefined)) return undefined
    if (!trustsProxies && headers['x-forwarded-for'] !== undefined) return undefined
    const answer = kept.get(toKey(url, request))
    return answer === undefined || answer.until <= Date.now() ? undefined : answer
  }
  const send = ({ route, headers, body }: KeptAnswer, response: ServerResponse, start: number): void => {
    response.writeHead(200, headers)
    response.end(body)
    count(route, (performance.now() - start) / 1000)
  }
  const pass = (request: IncomingMessage, response: ServerResponse): void => {
    for (const other of others) Reflect.apply(other, server, [request, response])
  }

  server.removeAllListeners('request')
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const start = performance.now()
    const found = find(request)
    const current = found !== undefined && checks < maxChecks && found.isCurrent()
    if (typeof current === 'boolean') {
      if (found && current) send(found, response, start)
      else pass(request, response)
      return
    }
    checks++
    // A database that does not answer is reported by the route.
    void current
      .catch(() => false)
      .then((isCurrent) => {
        checks--
        if (found && isCurrent && mayReplay()) send(found, response, start)
        else pass(request, response)
      })
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
  return `${url} ${headers['accept-encoding'] ?? ''} ${String(headers['x-service-token'])}`
}
