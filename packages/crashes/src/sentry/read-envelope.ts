import { createHash, randomUUID } from 'node:crypto'
import { inflateSync } from 'node:zlib'
import { emptyDelivery, type ReadDelivery } from '../crash.ts'
import { CrashesError } from '../crashes-error.ts'
import { type JsonObject, toInstant, toInteger, toObjects, toText } from '../json/json-value.ts'
import { parseJsonObject } from '../json/parse-json.ts'
import { maxEventBytes } from '../limits.ts'
import { parseEnvelope } from './envelope.ts'
import { type EventHead, isTransaction, readEvent, readEventHead, toEventId } from './event.ts'
import { readSession, readSessionAggregates } from './session.ts'

/** Reads one event. `fallbackId` is used when the event has no id of its own. */
type EventReader<Crash> = (event: JsonObject, fallbackId: string) => Crash

/**
 * Reads everything that an envelope holds. An event without an id gets the envelope's, else `fallbackId`.
 *
 * @throws {CrashesError}
 */
export function readEnvelope(bytes: Buffer, fallbackId = createEventId()): ReadDelivery {
  return readItems(bytes, fallbackId, readEvent)
}

/** Reads no more of the events of an envelope than their ids. @throws {CrashesError} as `readEnvelope` does */
export function readEnvelopeIds(bytes: Buffer, fallbackId = createEventId()): ReadDelivery<EventHead> {
  return readItems(bytes, fallbackId, readEventHead)
}

function readItems<Crash>(bytes: Buffer, fallbackId: string, readOne: EventReader<Crash>): ReadDelivery<Crash> {
  const { header, items, damage } = parseEnvelope(bytes)
  const delivery = emptyDelivery<Crash>()
  const ownId = toEventId(header['event_id']) ?? fallbackId
  delivery.sentAt = toInstant(header['sent_at'])
  let firstError: CrashesError | undefined = damage
  let readCount = 0
  for (const { type, payload } of items) {
    try {
      if (type === 'event') addEvent(delivery, parseEvent(payload), ownId, readOne)
      else if (type === 'session') delivery.sessions.push(readSession(parseJsonObject(payload)))
      else if (type === 'sessions') delivery.sessions.push(...readSessionAggregates(parseJsonObject(payload)))
      else if (type === 'client_report') addLosses(delivery, parseJsonObject(payload))
      else delivery.dropped.push(toText(type, 64) ?? 'unknown')
      readCount++
    } catch (error) {
      if (!(error instanceof CrashesError)) throw error
      firstError ??= error
      delivery.dropped.push('damaged')
    }
  }
  // SDKs discard what is refused, so a damaged item must not cost the others.
  if (firstError && readCount === 0) throw firstError
  if (damage) delivery.dropped.push('damaged')
  return delivery
}

/** Reads one event alone: JSON, or base64 of its zlib stream as old SDKs send it. @throws {CrashesError} */
export function readStoreBody(bytes: Buffer, fallbackId = createEventId()): ReadDelivery {
  return readOneEvent(bytes, fallbackId, readEvent)
}

/** Reads no more of one event than its id. @throws {CrashesError} as `readStoreBody` does */
export function readStoreId(bytes: Buffer, fallbackId = createEventId()): ReadDelivery<EventHead> {
  return readOneEvent(bytes, fallbackId, readEventHead)
}

function readOneEvent<Crash>(bytes: Buffer, fallbackId: string, readOne: EventReader<Crash>): ReadDelivery<Crash> {
  const delivery = emptyDelivery<Crash>()
  addEvent(delivery, parseEvent(isBase64(bytes) ? inflateBase64(bytes) : bytes), fallbackId, readOne)
  return delivery
}

/** Returns the event id with which to answer a store request or an envelope: the event's own, or a new one. */
export function createEventId(): string {
  return randomUUID().replaceAll('-', '')
}

function addEvent<Crash>(
  { crashes, dropped }: ReadDelivery<Crash>,
  event: JsonObject,
  fallbackId: string,
  readOne: EventReader<Crash>,
): void {
  if (isTransaction(event)) dropped.push('transaction')
  else crashes.push(readOne(event, crashes.length === 0 ? fallbackId : toFurtherId(fallbackId, crashes.length)))
}

/** The id of a further event without one in the same envelope: the same each time that the envelope is read. */
function toFurtherId(fallbackId: string, place: number): string {
  return createHash('sha256').update(`${fallbackId} ${place}`).digest('hex').slice(0, 32)
}

function parseEvent(payload: Uint8Array): JsonObject {
  if (payload.length > maxEventBytes) throw new CrashesError('too-large', 'An event has more than 1 MiB.')
  return parseJsonObject(payload)
}

function isBase64(bytes: Buffer): boolean {
  return bytes[0] === 'e'.charCodeAt(0) && /^[A-Za-z0-9+/=\s]*$/.test(bytes.toString('latin1', 0, 200))
}

function inflateBase64(bytes: Buffer): Buffer {
  try {
    return inflateSync(Buffer.from(bytes.toString('latin1'), 'base64'), { maxOutputLength: maxEventBytes })
  } catch (cause) {
    const isTooLarge = cause instanceof RangeError
    throw new CrashesError(isTooLarge ? 'too-large' : 'malformed', 'It is no zlib stream in base64.', { cause })
  }
}

function addLosses(delivery: ReadDelivery<unknown>, report: JsonObject): void {
  for (const { reason, category, quantity } of toObjects(report['discarded_events']).slice(0, 100)) {
    const name = toText(reason, 64)
    const count = toInteger(quantity)
    if (category !== 'error' || name === null || count === null || count <= 0) continue
    // Object.hasOwn, because a reason may have the name of a property that every object inherits.
    const before = Object.hasOwn(delivery.lost, name) ? (delivery.lost[name] ?? 0) : 0
    Object.defineProperty(delivery.lost, name, {
      value: before + Math.min(count, 1_000_000),
      enumerable: true,
      configurable: true,
      writable: true,
    })
  }
}
