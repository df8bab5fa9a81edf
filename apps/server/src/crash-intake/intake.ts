import { ApiError } from '@fairlead/contract'
import { condenseBody, type ContentEncoding, maxCondensedBytes } from '@fairlead/crashes'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AppContext } from '../context.ts'
import type { Row } from '../db/schema.ts'
import { type BodySlots, createBodySlots } from '../http/body-slots.ts'
import { continueUpload } from '../http/continue-upload.ts'
import { type Overflow, type ReadBody, readBody, type ReadBodyOptions } from '../http/read-body.ts'
import type { Batch } from '../jobs/batch.ts'
import { toNetwork } from '../passwords/network.ts'
import { createInbox, type Inbox } from './inbox.ts'
import { toApiError } from './receive.ts'
import { createRateLimit, type RateLimit } from './rate-limit.ts'
import { createThrottleCount } from './throttled.ts'

/** The most bytes of a body as it is sent, before decompression. */
const maxSentBytes = 20 * 2 ** 20
/**
 * The most large bodies in memory at a time, which take 80 MiB at most, and twice that while envelopes over the limit
 * are reduced.
 */
const largeBodies = 4

/** The services that all intake routes share. */
export interface Intake {
  context: AppContext
  inbox: Inbox
  slots: BodySlots
  rateLimit: RateLimit
  /** Takes the ids of the applications whose deliveries were refused because there were too many. */
  throttled: Batch<number>
}

export function createIntake(context: AppContext): Intake {
  return {
    context,
    inbox: createInbox(context),
    slots: createBodySlots(largeBodies),
    rateLimit: createRateLimit(),
    throttled: createThrottleCount(context),
  }
}

/**
 * Reads the body of a request. `Expect: 100-continue` is answered when the size that it announces is allowed.
 *
 * @param applicationId the application of the key, whose turns a large body takes; undefined while no key is known
 */
export function openBody(
  { slots, context }: Intake,
  request: FastifyRequest,
  reply: FastifyReply,
  applicationId: number | undefined,
  { checkStart, overflow }: Pick<ReadBodyOptions, 'checkStart' | 'overflow'> = {},
): Promise<ReadBody> {
  // A sender that asks first can leave its attachments out.
  const asksFirst = request.headers.expect !== undefined
  const maxBytes = overflow && !asksFirst ? overflow.maxBytes : maxSentBytes
  const source = continueUpload(request, reply, maxBytes).open()
  const network = toNetwork(request.ip)
  const sender = { owner: applicationId === undefined ? `unknown ${network}` : String(applicationId), network }
  const { bodyTimeoutMs: baseMs } = context.config
  return readBody(source, { baseMs, maxBytes: maxSentBytes, slots, sender, checkStart, overflow })
}

/** Keeps the events of an envelope that is too large because of the files that are attached to them. */
export function skipAttachments(encoding: ContentEncoding | null): Overflow {
  return {
    maxBytes: maxCondensedBytes,
    open(start) {
      const { sink, finished } = condenseBody(start, encoding, maxSentBytes)
      return {
        sink,
        finished: finished.catch((error: unknown) => {
          throw toApiError(error)
        }),
      }
    },
  }
}

/** Counts a delivery of a key. Returns the milliseconds to wait when it sends more than its share, else 0. */
export function takeTurn({ rateLimit, throttled }: Intake, key: Row<'crash_keys'>): number {
  const waitMs = rateLimit.take(key.id)
  if (waitMs > 0) throttled.add(key.application_id)
  return waitMs
}

/** @throws {ApiError} tooManyRequests with these headers, when a key sends more than its share */
export function limitRate(
  intake: Intake,
  key: Row<'crash_keys'>,
  toHeaders: (waitMs: number) => Record<string, string>,
): void {
  const waitMs = takeTurn(intake, key)
  if (waitMs > 0) throw new ApiError('tooManyRequests', { headers: toHeaders(waitMs) })
}
