import { ApiError } from '@fairlead/contract'
import {
  checkDelivery,
  type ContentEncoding,
  contentEncodings,
  CrashesError,
  createEventId,
  type Delivery,
  type DeliveryOptions,
  type DeliveryProtocol,
  type DeliverySummary,
} from '@fairlead/crashes'
import { QueueFullError } from '@fairlead/workers'
import type { AppContext } from '../context.ts'
import type { Inbox } from './inbox.ts'
import { toJsonText } from '../db/json-text.ts'

export interface ReceivedDelivery {
  applicationId: number
  protocol: DeliveryProtocol
  encoding: ContentEncoding | null
  options: DeliveryOptions
  body: Buffer
}

/** The largest body that is unpacked and parsed on the thread that answers requests, in about a millisecond. */
const smallBody = 512 * 1024

/**
 * Reads a delivery to tell its sender what it holds, then stores it as it was sent. The job `read-crashes` reads it
 * again and keeps what is not personal.
 *
 * @throws {ApiError} malformedCrash, damagedEncoding, tooLarge, unreadableCrash, overloaded
 */
export async function receiveDelivery(
  { readers, log }: Pick<AppContext, 'readers' | 'log'>,
  inbox: Inbox,
  received: ReceivedDelivery,
): Promise<DeliverySummary & { fallbackId: string }> {
  const fallbackId = received.options.sourceId ?? createEventId()
  const isSentry = received.protocol === 'envelope' || received.protocol === 'store'
  const options = isSentry ? { ...received.options, sourceId: fallbackId } : received.options
  const { applicationId, protocol, encoding, body } = received
  const delivery = { body, encoding, protocol, options }
  const summary = checkSmall(delivery) ?? (await checkInProcess({ readers, log }, delivery, String(applicationId)))
  await inbox.add({
    application_id: applicationId,
    protocol,
    encoding,
    options: toJsonText(options),
    body,
    received_at: Date.now(),
  })
  return { ...summary, fallbackId }
}

/** Reads the Content-Encoding header. @throws {ApiError} unsupportedEncoding */
export function readEncoding(header: string | undefined): ContentEncoding | null {
  const name = header?.trim().toLowerCase() ?? ''
  if (name === '' || name === 'identity') return null
  const known = contentEncodings.find((encoding) => encoding === name || (name === 'x-gzip' && encoding === 'gzip'))
  if (!known) throw new ApiError('unsupportedEncoding')
  return known
}

/** Returns undefined for a body that must be read in a worker process: a large one, or the text of a report. */
function checkSmall(delivery: Delivery): DeliverySummary | undefined {
  if (delivery.protocol === 'report' || delivery.body.length > smallBody) return undefined
  try {
    return checkDelivery(delivery, smallBody)
  } catch (error) {
    if (error instanceof CrashesError && error.code === 'too-large') return undefined
    throw toApiError(error)
  }
}

async function checkInProcess(
  { readers, log }: Pick<AppContext, 'readers' | 'log'>,
  delivery: Delivery,
  turnKey: string,
): Promise<DeliverySummary> {
  try {
    return await readers.deliveries.check(delivery, turnKey)
  } catch (error) {
    const isSentry = delivery.protocol === 'envelope' || delivery.protocol === 'store'
    // Sentry's SDKs throw away what is refused for any reason, so a full queue must not cost them a crash.
    if (error instanceof QueueFullError && isSentry) {
      log.warn('a delivery was stored unread, because too many wait')
      return { crashIds: [], sessionCount: 0, dropped: [] }
    }
    throw toApiError(error)
  }
}

export function toApiError(error: unknown): unknown {
  if (error instanceof QueueFullError) {
    return new ApiError('overloaded', { headers: { 'retry-after': '5' }, cause: error })
  }
  if (!(error instanceof CrashesError)) return error
  if (error.code === 'too-large' || error.code === 'too-costly') {
    return new ApiError('tooLarge', { detail: error.message, cause: error })
  }
  const code = {
    malformed: 'malformedCrash',
    'damaged-encoding': 'damagedEncoding',
    'no-crash': 'unreadableCrash',
  } as const
  return new ApiError(code[error.code], { detail: error.message, cause: error })
}
