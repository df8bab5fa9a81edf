/** Reads a body by the protocol that it was sent with. */
import { createHash } from 'node:crypto'
import { readAcraReport } from '../acra/read-report.ts'
import { readLogs } from '../app-center/read-logs.ts'
import type { ReadCrash, ReadDelivery } from '../crash.ts'
import { CrashesError } from '../crashes-error.ts'
import { maxEventBytes } from '../limits.ts'
import { readReport } from '../raw/read-report.ts'
import { readEnvelope, readEnvelopeIds, readStoreBody, readStoreId } from '../sentry/read-envelope.ts'

/** `envelope` and `store` are Sentry's; `report` is a crash report as a file. */
export type DeliveryProtocol = 'envelope' | 'store' | 'appcenter' | 'acra' | 'report'

/** Fields that the request's path and headers add to the body. */
export interface DeliveryOptions {
  contentType?: string | undefined
  installId?: string | null | undefined
  shortVersion?: string | null | undefined
  version?: string | null | undefined
  /** ACRA's report id from the path, and the event id that a Sentry request was answered with. */
  sourceId?: string | undefined
}

/** @throws {CrashesError} no-crash, malformed, too-large */
export function readDelivery(body: Buffer, protocol: DeliveryProtocol, options: DeliveryOptions): ReadDelivery {
  const installId = options.installId ?? null
  if (protocol === 'envelope') return readEnvelope(body, options.sourceId)
  if (protocol === 'store') return readStoreBody(body, options.sourceId)
  if (protocol === 'appcenter') return readLogs(body, { installId })
  if (body.length > maxEventBytes) throw new CrashesError('too-large', 'A report has more than 1 MiB.')
  if (protocol === 'acra') return withReportId(readAcraReport(body, options.contentType ?? ''), body, options.sourceId)
  const { shortVersion = null, version = null } = options
  return readReport(body, { installId, shortVersion, version })
}

/**
 * Reads no more of a delivery than its answer needs: the ids of its crashes, and what it holds besides. It refuses what
 * `readDelivery` refuses.
 *
 * @throws {CrashesError} no-crash, malformed, too-large
 */
export function readDeliveryIds(
  body: Buffer,
  protocol: DeliveryProtocol,
  options: DeliveryOptions,
): ReadDelivery<Pick<ReadCrash, 'sourceId'>> {
  if (protocol === 'envelope') return readEnvelopeIds(body, options.sourceId)
  if (protocol === 'store') return readStoreId(body, options.sourceId)
  return readDelivery(body, protocol, options)
}

function withReportId(delivery: ReadDelivery, body: Buffer, sourceId: string | undefined): ReadDelivery {
  for (const crash of delivery.crashes) {
    if (crash.sourceId === '') crash.sourceId = sourceId ?? createHash('sha256').update(body).digest('hex')
  }
  return delivery
}
