/**
 * Hears what the triggers of migration 042 notify of, on one connection of its own. PostgreSQL delivers notifications
 * after the commit, to every process in the same order.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { ChangeEvent } from '@fairlead/contract'
import { Client } from 'pg'
import type { Logger } from 'pino'
import { z } from 'zod'
import { type ChangeFeed, createSubscribers, type FeedMessage } from './change-feed.ts'

const channel = 'fairlead_changes'
/** How long a notification to itself may take, and how often one is sent, in milliseconds. */
const answerMs = 10_000
const pingMs = 30_000
/** The pause before the next attempt to connect, in milliseconds. */
const retryMs = 1000
/** The longest pause, behind a pooler through which no notification comes. */
const longestRetryMs = 60_000

const Notification = z.union([
  ChangeEvent.extend({ id: z.string(), workspaceId: z.int() }),
  z.object({ accountId: z.int().nullable(), apiTokenId: z.int().nullable(), workspaceId: z.int().nullable() }).strict(),
  z.object({ ping: z.string() }),
])

export async function openPostgresChangeFeed(
  connectionString: string,
  log: Pick<Logger, 'warn'> | undefined,
): Promise<ChangeFeed & AsyncDisposable> {
  const subscribers = createSubscribers()
  const closing = new AbortController()
  const first = Promise.withResolvers<void>()
  const following = follow()
  await first.promise
  return {
    subscribe: (listener) => subscribers.subscribe(listener),
    async [Symbol.asyncDispose]() {
      closing.abort()
      await following
    },
  }

  async function follow(): Promise<void> {
    let pause = retryMs
    let hasListened = false
    while (!closing.signal.aborted) {
      const heard = await listen(() => {
        if (hasListened) subscribers.tell([{ type: 'gap' }])
        hasListened = true
        first.resolve()
      })
      first.resolve()
      if (closing.signal.aborted) return
      pause = heard ? retryMs : Math.min(pause * 2, longestRetryMs)
      await setTimeout(pause, undefined, { signal: closing.signal }).catch(() => {})
    }
  }

  /** Listens until the connection is lost. Returns whether a notification came. */
  async function listen(onListening: () => void): Promise<boolean> {
    const client = new Client({
      connectionString,
      connectionTimeoutMillis: 5000,
      query_timeout: answerMs,
      keepAlive: true,
    })
    const lost = Promise.withResolvers<void>()
    let expected: string | undefined
    let hasHeard = false
    client.on('error', () => lost.resolve())
    client.on('end', () => lost.resolve())
    client.on('notification', ({ payload = '' }) => {
      const parsed = parse(payload)
      if (parsed === undefined) return
      if ('ping' in parsed) {
        if (parsed.ping === expected) {
          expected = undefined
          hasHeard = true
        }
      } else subscribers.tell([toMessage(parsed)])
    })
    const stop = () => lost.resolve()
    closing.signal.addEventListener('abort', stop)
    try {
      await client.connect()
      await client.query(`listen ${channel}`)
      onListening()
      // A connection that is gone without a word, or a pooler that shares it, is found by a notification to itself.
      while (!closing.signal.aborted) {
        expected = randomUUID()
        await client.query('select pg_notify($1, $2)', [channel, JSON.stringify({ ping: expected })])
        if (await wait(answerMs, lost.promise)) break
        if (expected !== undefined) {
          log?.warn('notifications of PostgreSQL do not come back; a pooler must not share connections by transaction')
          break
        }
        if (await wait(pingMs, lost.promise)) break
      }
    } catch (error) {
      if (!closing.signal.aborted) log?.warn({ err: error }, 'the connection for notifications of PostgreSQL was lost')
    } finally {
      closing.signal.removeEventListener('abort', stop)
      await Promise.race([client.end().catch(() => {}), setTimeout(1000, undefined, { ref: false })])
    }
    return hasHeard
  }
}

/** Waits for the end of the time or of the connection; returns whether the connection ended. */
async function wait(ms: number, lost: Promise<void>): Promise<boolean> {
  const timer = new AbortController()
  const isLost = await Promise.race([
    lost.then(() => true),
    setTimeout(ms, false, { signal: timer.signal, ref: false }).catch(() => false),
  ])
  timer.abort()
  return isLost
}

/** Another version of Fairlead may notify of what this one does not know. */
function parse(payload: string): z.infer<typeof Notification> | undefined {
  try {
    return Notification.safeParse(JSON.parse(payload)).data
  } catch {
    return undefined
  }
}

function toMessage(parsed: Exclude<z.infer<typeof Notification>, { ping: string }>): FeedMessage {
  if (!('id' in parsed)) return { type: 'access', access: parsed }
  const { id, workspaceId, ...event } = parsed
  return { type: 'change', id, workspaceId, event }
}
