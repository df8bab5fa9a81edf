import { createHash, createHmac } from 'node:crypto'
import type {
  Breadcrumb,
  CrashContexts,
  CrashException,
  CrashImage,
  ReadCrash,
  ReadDelivery,
  ReadSession,
  ReadThread,
  ReportedFrame,
} from '../crash.ts'
import { CrashesError } from '../crashes-error.ts'
import { condenseBody } from '../delivery/condense-body.ts'
import { decodeBody, releaseBody } from '../delivery/decode-body.ts'
import { measureBody } from '../delivery/measure-body.ts'
import { readDelivery, readDeliveryIds } from '../delivery/read-delivery.ts'
import { maxUnpackedBytes } from '../limits.ts'
import { packJson, packText } from '../packed-json.ts'
import { scrubCrash, type ScrubbedCrash } from '../privacy/scrub.ts'
import { hashStack, type StackFrame, toStackContent, toStackFrames } from '../stack/stack-content.ts'
import { listNeeds } from '../stack/symbol-needs.ts'
import type {
  ContentMessage,
  Delivery,
  DeliverySummary,
  PreparedCrash,
  PreparedDelivery,
  ReadSettings,
} from './messages.ts'

/** The parts of a crash that may differ from other crashes with the same stack. */
export interface KeptReport {
  exceptions: CrashException[]
  images: CrashImage[]
  breadcrumbs: Breadcrumb[]
  contexts: CrashContexts
  /** Empty unless the application keeps such data. */
  customData: Record<string, Record<string, string>>
  /** All threads, the crashed one first, with frames as they came. */
  threads: KeptThread[]
  /** Addresses of the reported frames, in hexadecimal. */
  addresses: (string | null)[]
}

export type KeptThread = ReadThread<StackFrame & { address: string | null }>

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
  const size = await measureBody(body, encoding, protocol).catch((error: unknown) => {
    if (protocol === 'envelope' && error instanceof CrashesError && error.code === 'too-large') return undefined
    throw error
  })
  if (size === undefined) {
    const { sink, finished } = condenseBody(body, encoding, maxUnpackedBytes)
    sink.end(body)
    return finished
  }
  // It is unpacked in one piece, because putting pieces together would take its memory twice.
  return decodeBody(body, encoding, size, size + 64)
}

/** @throws {CrashesError} */
export async function prepareDelivery(delivery: Delivery, settings: ReadSettings): Promise<PreparedDelivery> {
  const { digest, read } = readBody(delivery, await decodeLargeBody(delivery))
  const { crashes, sessions, dropped, lost, sentAt } = read
  return {
    crashes: crashes.map((crash) => prepareCrash(crash, settings)),
    sessions: sessions.map((session, place) =>
      hashSession(session, place, { digest, installSecret: settings.installSecret }),
    ),
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

function prepareCrash(crash: ReadCrash, { installSecret, keepsCustomData }: ReadSettings): PreparedCrash {
  const scrubbed = scrubCrash(keepsCustomData ? crash : { ...crash, customData: {} })
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
    platform: scrubbed.platform,
    environment: scrubbed.environment,
    tags: scrubbed.tags,
    message: scrubbed.exceptions.at(-1)?.message ?? null,
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

function toKeptReport(crash: ScrubbedCrash): KeptReport {
  const { exceptions, images, breadcrumbs, contexts, customData, frames } = crash
  const byUuid = new Map(images.map((image) => [image.uuid, image]))
  const threads = crash.threads.map((thread) => {
    const kept = toStackFrames(thread.frames, byUuid)
    return { ...thread, frames: kept.map((frame, at) => ({ ...frame, address: toHexadecimal(thread.frames[at]) })) }
  })
  return { exceptions, images, breadcrumbs, contexts, customData, threads, addresses: frames.map(toHexadecimal) }
}

function toHexadecimal(frame: ReportedFrame | undefined): string | null {
  return frame === undefined || frame.address === null ? null : `0x${frame.address.toString(16)}`
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
  const installId = session.installId === null ? null : hashInstall(session.installId, installSecret)
  return { ...session, installId, sessionId: hash.digest('hex').slice(0, 24) }
}
