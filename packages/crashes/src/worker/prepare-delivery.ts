import { createHash, createHmac } from 'node:crypto'
import type { Breadcrumb, CrashException, CrashImage, ReadCrash, ReadDelivery, ReadSession } from '../crash.ts'
import { CrashesError } from '../crashes-error.ts'
import { decodeBody, releaseBody } from '../delivery/decode-body.ts'
import { measureBody } from '../delivery/measure-body.ts'
import { readDelivery, readDeliveryIds } from '../delivery/read-delivery.ts'
import { packJson, packText } from '../packed-json.ts'
import { scrubCrash, type ScrubbedCrash } from '../privacy/scrub.ts'
import { hashStack, toStackContent } from '../stack/stack-content.ts'
import { listNeeds } from '../stack/symbol-needs.ts'
import type { ContentMessage, Delivery, DeliverySummary, PreparedCrash, PreparedDelivery } from './messages.ts'

/** The parts of a crash that may differ from other crashes with the same stack. */
export interface KeptReport {
  exceptions: CrashException[]
  images: CrashImage[]
  breadcrumbs: Breadcrumb[]
  /** Addresses of the reported frames, in hexadecimal. */
  addresses: (string | null)[]
}

/** The length of a stack, in characters of JSON, from which it is packed before it is known to be new. */
const largeStack = 64 * 1024

/** A body that may unpack to more bytes than this is measured first. */
const smallUnpacked = 4 * 2 ** 20

/**
 * Reads as much of a delivery as its sender has to be told.
 *
 * @param maxBytes limit of the unpacked body
 * @throws {CrashesError}
 */
export function checkDelivery(delivery: Delivery, maxBytes?: number): DeliverySummary {
  return summarize(delivery, decodeBody(delivery.body, delivery.encoding, maxBytes))
}

/** Does what `checkDelivery` does, without holding a large body in memory that is refused. @throws {CrashesError} */
export async function checkLargeDelivery(delivery: Delivery): Promise<DeliverySummary> {
  return summarize(delivery, await decodeLargeBody(delivery))
}

function summarize({ body, protocol, options }: Delivery, decoded: Buffer): DeliverySummary {
  try {
    const { crashes, sessions, dropped } = readDeliveryIds(decoded, protocol, options)
    return { crashIds: crashes.map(({ sourceId }) => sourceId), sessionCount: sessions.length, dropped }
  } finally {
    releaseBody(decoded, body)
  }
}

async function decodeLargeBody({ body, encoding, protocol }: Delivery): Promise<Buffer> {
  try {
    return decodeBody(body, encoding, smallUnpacked)
  } catch (error) {
    if (encoding === null || !(error instanceof CrashesError) || error.code !== 'too-large') throw error
  }
  const size = await measureBody(body, encoding, protocol)
  // It is unpacked in one piece, because putting pieces together would take its memory twice.
  return decodeBody(body, encoding, size, size + 64)
}

/** @throws {CrashesError} */
export async function prepareDelivery(delivery: Delivery, installSecret: Uint8Array): Promise<PreparedDelivery> {
  const { digest, read } = readBody(delivery, await decodeLargeBody(delivery))
  const { crashes, sessions, dropped, lost, sentAt } = read
  return {
    crashes: crashes.map((crash) => prepareCrash(crash, installSecret)),
    sessions: sessions.map((session, place) => hashSession(session, place, { digest, installSecret })),
    dropped,
    lost,
    sentAt,
  }
}

/** The digest of the body is empty text unless the hash of a session needs it. */
function readBody(
  { body, protocol, options }: Delivery,
  decoded: Buffer,
): { read: ReadDelivery; digest: Buffer | string } {
  try {
    const read = readDelivery(decoded, protocol, options)
    const needsDigest = read.sessions.some(({ sessionId }) => sessionId === null)
    return { read, digest: needsDigest ? createHash('sha256').update(decoded).digest() : '' }
  } finally {
    releaseBody(decoded, body)
  }
}

function prepareCrash(crash: ReadCrash, installSecret: Uint8Array): PreparedCrash {
  const scrubbed = scrubCrash(crash)
  const content = toStackContent(scrubbed)
  const json = JSON.stringify(content)
  const { source, sourceId, kind, isFatal, occurredAt } = scrubbed
  const { shortVersion, version, deviceModel, osName, osVersion } = scrubbed
  return {
    source,
    sourceId,
    kind,
    isFatal,
    occurredAt,
    package: scrubbed.package,
    shortVersion,
    version,
    deviceModel,
    osName,
    osVersion,
    installId: crash.installId === null ? null : hashInstall(crash.installId, installSecret),
    stack: { hash: hashStack(json), needs: listNeeds(content), content: toMessage(json) },
    report: packJson(toKeptReport(scrubbed)),
  }
}

/** Most stacks are known and not stored again, so only a large one, which would take memory, is packed here. */
function toMessage(json: string): ContentMessage {
  return json.length < largeStack ? json : packText(json)
}

/** Hashes the id of an installation for storage: the first 8 bytes of an HMAC, in hexadecimal. */
export function hashInstall(installId: string, installSecret: Uint8Array): string {
  return createHmac('sha256', installSecret).update(installId).digest('hex').slice(0, 16)
}

function toKeptReport({ exceptions, images, breadcrumbs, frames }: ScrubbedCrash): KeptReport {
  const addresses = frames.map(({ address }) => (address === null ? null : `0x${address.toString(16)}`))
  return { exceptions, images, breadcrumbs, addresses }
}

/** Counts without a session's id get one from the bytes of their delivery, so that resending them counts once. */
function hashSession(
  session: ReadSession,
  place: number,
  { digest, installSecret }: { digest: Buffer | string; installSecret: Uint8Array },
): ReadSession {
  const { sessionId } = session
  const hash = createHmac('sha256', installSecret)
  if (sessionId === null) hash.update(digest).update(`#${place}`)
  else hash.update(`session ${sessionId}`)
  return { ...session, sessionId: hash.digest('hex').slice(0, 24) }
}
