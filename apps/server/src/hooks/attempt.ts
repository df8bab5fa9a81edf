import type { HookDeliveryError } from '@fairlead/contract'
import { cutText } from './standard-body.ts'
import { type OutboundAnswer, type Resolve, sendGuarded } from '../outbound/guarded-client.ts'
import { OutboundError } from '../outbound/outbound-error.ts'
import type { HooksAllow } from '../settings/hooks-allow.ts'
import { isAccepted, toSentBody } from './chat-protocol.ts'
import { toSignatureHeaders } from './signature.ts'
import type { OpenHook } from './open-hook.ts'

const excerptLength = 1000

export interface Outcome {
  startedAt: number
  durationMs: number
  status: number | null
  error: HookDeliveryError | null
  excerpt: string | null
  /** How long the receiver asks to wait, in milliseconds. */
  retryAfterMs: number | null
}

/** What the deliveries of a process share. */
export interface Sender {
  allow: HooksAllow
  resolve: Resolve
  userAgent: string
}

/** Sends a delivery once. It never rejects: what goes wrong is the outcome. */
export async function attemptDelivery(
  sender: Sender,
  hook: OpenHook,
  { webhookId, body: text }: { webhookId: string; body: string },
  signal: AbortSignal,
): Promise<Outcome> {
  const startedAt = Date.now()
  const started = performance.now()
  const since = () => Math.round(performance.now() - started)
  const body = Buffer.from(toSentBody(hook, text, startedAt))
  const headers = {
    'content-type': 'application/json',
    'user-agent': sender.userAgent,
    // The receivers of chats take no signature, and the address is the secret there.
    ...(hook.format === 'standard' && toSignatureHeaders(hook, webhookId, body, startedAt)),
  }
  try {
    const answer = await sendGuarded(sender, { url: hook.url, method: 'POST', headers, body, signal })
    const error = findError(hook, answer)
    const excerpt = answer.text === null ? null : toExcerpt(answer.text)
    const { status } = answer
    return { startedAt, durationMs: since(), status, error, excerpt, retryAfterMs: findRetryAfter(answer, startedAt) }
  } catch (error) {
    const code = error instanceof OutboundError ? error.code : 'reset'
    return { startedAt, durationMs: since(), status: null, error: code, excerpt: null, retryAfterMs: null }
  }
}

function findError(hook: OpenHook, { status, text }: OutboundAnswer): HookDeliveryError | null {
  if (status >= 300 && status < 400) return 'redirect'
  if (status < 200 || status >= 300) return 'status'
  return isAccepted(hook.format, text) ? null : 'refusedByChat'
}

/** Removes what PostgreSQL cannot store and what would deceive where it is shown. */
function toExcerpt(text: string): string {
  const clean = text.toWellFormed().replace(/(?![\t\n])[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu, '')
  return cutText(clean, excerptLength)
}

const longestRetryAfterMs = 60 * 60 * 1000

/** Reads seconds or a date. */
function findRetryAfter({ status, headers }: OutboundAnswer, now: number): number | null {
  if (status !== 429 && status !== 503) return null
  const text = headers['retry-after'] ?? ''
  const ms = /^\d{1,9}(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), longestRetryAfterMs)
}
