/** Reads App Center's `/logs`: `{"logs": […]}`. Each log has its type and the device that wrote it. */
import { type CrashPlatform, emptyDelivery, noDetails, type ReadDelivery } from '../crash.ts'
import { CrashesError } from '../crashes-error.ts'
import { toCustomGroup } from '../json/custom-fields.ts'
import { isObject, type JsonObject, toInstant, toLabel, toObject, toText } from '../json/json-value.ts'
import { parseJsonObject } from '../json/parse-json.ts'
import { maxItems } from '../limits.ts'
import type { LogHead } from './log-head.ts'
import { readAppleError } from './apple-error.ts'
import { readManagedError } from './managed-error.ts'

export interface AppCenterOptions {
  /** The `Install-ID` header. */
  installId: string | null
}

/**
 * Reads a delivery. A malformed log among valid ones is dropped, because the SDK deletes its whole queue on a refusal.
 *
 * @throws {CrashesError}
 */
export function readLogs(bytes: Uint8Array, { installId }: AppCenterOptions): ReadDelivery {
  const { logs } = parseJsonObject(bytes)
  if (!Array.isArray(logs)) throw new CrashesError('malformed', 'It has no list of logs.')
  if (logs.length > maxItems) throw new CrashesError('too-large', `It has more than ${maxItems} logs.`)
  const delivery = emptyDelivery()
  for (const log of logs as unknown[]) readLog(toObject(log), installId, delivery)
  return delivery
}

function readLog(log: JsonObject, installId: string | null, delivery: ReadDelivery): void {
  const type = toText(log['type'], 64) ?? 'unknown'
  const id = toText(log['id'], 64)
  const isError = type === 'managedError' || type === 'handledError' || type === 'appleError'
  if (type === 'startSession') return void delivery.sessions.push(readStart(log, installId))
  if (!isError || id === null) return void delivery.dropped.push(type)
  const head = readHead(log, { id, isFatal: type !== 'handledError' && log['fatal'] === true, installId })
  delivery.crashes.push(type === 'appleError' ? readAppleError(log, head) : readManagedError(log, head))
}

function readHead(
  log: JsonObject,
  { id, isFatal, installId }: { id: string; isFatal: boolean; installId: string | null },
): LogHead {
  const device = toObject(log['device'])
  return {
    source: 'appcenter',
    sourceId: id.toLowerCase(),
    kind: isFatal ? 'crash' : 'handled',
    isFatal,
    occurredAt: toInstant(log['timestamp']),
    ...readRelease(device),
    deviceModel: toText(device['model']),
    osName: toText(device['osName']),
    osVersion: toLabel(device['osVersion']),
    installId,
    mappingIds: [],
    fingerprint: null,
    breadcrumbs: [],
    platform: toPlatform(toText(device['osName'])),
    ...noDetails,
    customData: toCustomGroup('properties', log['properties']),
  }
}

function toPlatform(osName: string | null): CrashPlatform {
  if (osName === null) return 'other'
  return /^android$/i.test(osName)
    ? 'android'
    : /^(i(Pad)?OS|mac ?OS|tvOS|watchOS|visionOS)$/i.test(osName)
      ? 'apple'
      : 'other'
}

function readRelease(device: JsonObject) {
  return {
    package: toText(device['appNamespace']),
    shortVersion: toLabel(device['appVersion']),
    version: toLabel(device['appBuild']),
  }
}

function readStart(log: JsonObject, installId: string | null) {
  return {
    ...readRelease(isObject(log['device']) ? log['device'] : {}),
    sessionId: toText(log['sid'], 64),
    startedAt: toInstant(log['timestamp']),
    startedCount: 1,
    environment: null,
    installId,
    crashedCount: 0,
  }
}
