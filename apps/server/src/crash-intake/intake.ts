import type { Readable } from 'node:stream'
import { ApiError } from '@fairlead/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AppContext } from '../context.ts'
import { continueUpload } from '../http/continue-upload.ts'
import { createInbox, type Inbox } from './inbox.ts'
import { createRateLimit, type RateLimit } from './rate-limit.ts'
import { type BodySlots, createBodySlots, maxSentBytes, readBody } from './read-body.ts'

/** The most large bodies in memory at a time, which take 80 MiB at most. */
const largeBodies = 4

/** The services that all intake routes share. */
export interface Intake {
  context: AppContext
  inbox: Inbox
  slots: BodySlots
  rateLimit: RateLimit
}

export function createIntake(context: AppContext): Intake {
  return { context, inbox: createInbox(context), slots: createBodySlots(largeBodies), rateLimit: createRateLimit() }
}

/** Reads the body of a request. `Expect: 100-continue` is answered when the size that it announces is allowed. */
export function openBody(
  { slots }: Intake,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<{ bytes: Buffer } & Disposable> {
  const source: Readable = continueUpload(request, reply, maxSentBytes).open()
  return readBody(source, slots)
}

/** @throws {ApiError} tooManyRequests with these headers, when a key sends more than its share */
export function limitRate(
  { rateLimit }: Intake,
  keyId: number,
  toHeaders: (waitMs: number) => Record<string, string>,
): void {
  const waitMs = rateLimit.take(keyId)
  if (waitMs > 0) throw new ApiError('tooManyRequests', { headers: toHeaders(waitMs) })
}
