import type { CrashException, CrashKind, ReadCrash } from '../crash.ts'
import { type JsonObject, toInstant, toLabel, toObject, toObjects, toText } from '../json/json-value.ts'
import { maxExceptions, maxFingerprintParts } from '../limits.ts'
import { splitRelease } from '../release.ts'
import { readBreadcrumbs } from './breadcrumbs.ts'
import { readDetails } from './details.ts'
import { readEventFrames } from './event-frames.ts'

/** The length at which messages are cut before they are masked. */
const longestMessage = 16_384

/** Whether an event is to be ignored. A transaction measures performance. */
export function isTransaction(event: JsonObject): boolean {
  return event['type'] === 'transaction'
}

/** The part of a crash that the answer to its sender names. */
export type EventHead = Pick<ReadCrash, 'sourceId'>

export function readEventHead(event: JsonObject, fallbackId: string): EventHead {
  return { sourceId: toEventId(event['event_id']) ?? fallbackId }
}

/** Reads an event of Sentry's protocol. `fallbackId` is used when the event has no id of its own. */
export function readEvent(event: JsonObject, fallbackId: string): ReadCrash {
  const { values, components } = splitComponents(toObjects(event['exception'] ?? event['sentry.interfaces.Exception']))
  const contexts = toObject(event['contexts'])
  const os = toObject(contexts['os'])
  const isFatal = event['level'] === 'fatal' || isUnhandled(values)
  const kind = toKind(values, isFatal)
  return {
    source: 'sentry',
    ...readEventHead(event, fallbackId),
    kind,
    // An app that does not respond is closed by the user or the system (ANR). After most hangs it runs on, but SDKs
    // mark one that the system ended as not handled.
    isFatal: kind === 'anr' ? true : kind === 'hang' ? isUnhandled(values) : isFatal,
    occurredAt: toInstant(event['timestamp']),
    ...splitRelease(event['release'], event['dist']),
    deviceModel: toText(toObject(contexts['device'])['model']),
    osName: toText(os['name']),
    osVersion: toLabel(os['version'])?.trim() ?? null,
    installId: toLabel(toObject(event['user'])['id']),
    exceptions: toExceptions(event, values),
    ...readEventFrames(event, values, components),
    fingerprint: toFingerprint(event['fingerprint']),
    breadcrumbs: readBreadcrumbs(event),
    ...readDetails(event),
  }
}

/**
 * The SDK for React adds an exception of its own as the cause, whose frames are the components around the one that
 * failed. They do not say where the error was thrown, so it is no cause here.
 */
function splitComponents(all: readonly JsonObject[]): { values: JsonObject[]; components: JsonObject | undefined } {
  const isComponents = ({ type }: JsonObject) => typeof type === 'string' && type.startsWith('React ErrorBoundary ')
  const values = all.filter((value) => !isComponents(value))
  return values.length === 0
    ? { values: [...all], components: undefined }
    : { values, components: all.find(isComponents) }
}

function isUnhandled(values: readonly JsonObject[]): boolean {
  return values.some(({ mechanism }) => toObject(mechanism)['handled'] === false)
}

/** Returns 32 hexadecimal digits; null if the text has another number of them. */
export function toEventId(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > 100) return null
  const digits = value.toLowerCase().replace(/[^0-9a-f]/g, '')
  return digits.length === 32 ? digits : null
}

function toKind(values: readonly JsonObject[], isFatal: boolean): CrashKind {
  const names = values.slice(0, maxExceptions).flatMap(({ mechanism, type }) => [toObject(mechanism)['type'], type])
  const text = names.map((name) => toText(name) ?? '').join(' ')
  if (/\bANR\b|ApplicationNotResponding/.test(text)) return 'anr'
  if (/\bAppHang\b|\bApp Hang|\bMXHangDiagnostic\b/.test(text)) return 'hang'
  return isFatal ? 'crash' : 'handled'
}

/**
 * Lists the exceptions, of which Sentry writes the root cause first. An event without exceptions is read by its
 * message.
 */
function toExceptions(event: JsonObject, values: readonly JsonObject[]): CrashException[] {
  const isJava = event['platform'] === 'java'
  const exceptions = values.slice(0, maxExceptions).map(({ type, module, value }) => {
    const name = toText(type) ?? 'unknown'
    const prefix = isJava ? toText(module) : null
    return { type: prefix === null ? name : `${prefix}.${name}`, message: toText(value, longestMessage) }
  })
  return exceptions.reverse()
}

function toFingerprint(value: unknown): string[] | null {
  if (!Array.isArray(value)) return null
  const parts = value.slice(0, maxFingerprintParts).map(toLabel)
  const texts = parts.filter((part) => part !== null)
  const isDefault = texts.every((part) => /^\{\{\s*default\s*\}\}$/.test(part))
  return isDefault ? null : texts
}
