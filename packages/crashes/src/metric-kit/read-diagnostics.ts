/** Reads MetricKit's daily payload: diagnostics of crashes and hangs, each with a tree of call stacks. */
import { type CrashImage, emptyFrame, noDetails, type ReadCrash, type ReportedFrame } from '../crash.ts'
import {
  type JsonObject,
  toAddress,
  toInstant,
  toInteger,
  toLabel,
  toList,
  toObject,
  toObjects,
  toText,
} from '../json/json-value.ts'
import { maxFrames, maxImages, maxThreads } from '../limits.ts'
import { splitOsVersion } from '../os-version.ts'
import { limitThreads } from '../stack/limit-threads.ts'
import { toUuid } from '../uuid.ts'

const machExceptions: Record<number, string> = {
  1: 'EXC_BAD_ACCESS',
  2: 'EXC_BAD_INSTRUCTION',
  3: 'EXC_ARITHMETIC',
  4: 'EXC_EMULATION',
  5: 'EXC_SOFTWARE',
  6: 'EXC_BREAKPOINT',
  10: 'EXC_CRASH',
  11: 'EXC_RESOURCE',
  12: 'EXC_GUARD',
}

const maxDiagnostics = 100
const pageSize = 4096n
const longestMessage = 16_384

/** Whether a JSON document is a MetricKit payload. */
export function isDiagnosticPayload(document: JsonObject): boolean {
  return 'crashDiagnostics' in document || 'hangDiagnostics' in document
}

/** Reads a payload. The first crash has the id `digest`, and further ones have a number after it. */
export function readDiagnostics(document: JsonObject, digest: string): ReadCrash[] {
  const occurredAt = toInstant(document['timeStampEnd'])
  const diagnostics = [
    ...toObjects(document['crashDiagnostics']).map((diagnostic) => ({ diagnostic, kind: 'crash' as const })),
    ...toObjects(document['hangDiagnostics']).map((diagnostic) => ({ diagnostic, kind: 'hang' as const })),
  ]
  return diagnostics.slice(0, maxDiagnostics).map(({ diagnostic, kind }, index) => {
    const meta = toObject(diagnostic['diagnosticMetaData'])
    return {
      source: 'metrickit',
      sourceId: index === 0 ? digest : `${digest}-${index}`,
      kind,
      isFatal: kind === 'crash',
      occurredAt,
      package: toText(meta['bundleIdentifier']),
      shortVersion: toLabel(meta['appVersion']),
      version: toLabel(meta['appBuildVersion']),
      deviceModel: toText(meta['deviceType']),
      ...splitOsVersion(toText(meta['osVersion'])),
      installId: null,
      exceptions: kind === 'hang' ? [] : readException(meta),
      mappingIds: [],
      fingerprint: null,
      breadcrumbs: [],
      platform: 'apple',
      ...noDetails,
      ...readCallStacks(toObject(diagnostic['callStackTree']), toText(meta['platformArchitecture'])),
    }
  })
}

function readException(meta: JsonObject) {
  const reason = toObject(meta['objectiveCexceptionReason'])
  const number = toInteger(meta['exceptionType'])
  const type = toText(reason['exceptionName']) ?? (number === null ? null : (machExceptions[number] ?? `EXC_${number}`))
  const message = toText(reason['composedMessage'], longestMessage) ?? toText(meta['terminationReason'], longestMessage)
  return type === null ? [] : [{ type, message }]
}

function readCallStacks(tree: JsonObject, architecture: string | null) {
  const stacks = toObjects(tree['callStacks'])
  const crashed = stacks.find(({ threadAttributed }) => threadAttributed === true) ?? stacks[0]
  const frames = listFrames(crashed)
  // A tree that is none of threads has the samples of all of them together.
  const ofThreads = tree['callStackPerThread'] === true ? stacks.slice(0, maxThreads) : []
  const threads = ofThreads.map((stack, place) => {
    const isCrashed = stack === crashed
    return { id: String(place), name: null, state: null, isCrashed, frames: isCrashed ? frames : listFrames(stack) }
  })
  return { frames, images: listImages(stacks, architecture), threads: limitThreads(threads) }
}

/** Lists the frames of a stack. Its root is the innermost frame, and each frame contains its caller. */
function listFrames(stack: JsonObject | undefined): ReportedFrame[] {
  const frames: ReportedFrame[] = []
  let frame: unknown = toList(stack?.['callStackRootFrames'])[0]
  while (typeof frame === 'object' && frame !== null && frames.length < maxFrames) {
    const values = toObject(frame)
    frames.push(toFrame(values))
    frame = toList(values['subFrames'])[0]
  }
  return frames
}

/** Walks the tree without recursion, because a payload may be nested to any depth. */
function listImages(stacks: readonly JsonObject[], architecture: string | null): CrashImage[] {
  const images = new Map<string, CrashImage>()
  const waiting = stacks.flatMap((stack) => toObjects(stack['callStackRootFrames']))
  while (waiting.length > 0 && images.size < maxImages) {
    const frame = waiting.pop()
    if (!frame) break
    const uuid = toUuid(frame['binaryUUID'])
    const name = toText(frame['binaryName']) ?? '???'
    if (uuid !== null && !images.has(uuid)) images.set(uuid, { name, uuid, architecture, isApp: null })
    for (const callers of toObjects(frame['subFrames'])) waiting.push(callers)
  }
  return [...images.values()]
}

/** Older systems write the page-aligned load address of the image into the field for the offset. */
function toFrame(frame: JsonObject): ReportedFrame {
  const given = toAddress(frame['offsetIntoBinaryTextSegment'])
  const address = toAddress(frame['address'])
  const isLoadAddress = given !== null && address !== null && given > 0n && given % pageSize === 0n && given <= address
  const offset = isLoadAddress ? address - given : given
  return {
    ...emptyFrame,
    imageUuid: toUuid(frame['binaryUUID']),
    imageOffset: offset === null || offset > BigInt(Number.MAX_SAFE_INTEGER) ? null : Number(offset),
    address,
    module: toText(frame['binaryName']),
  }
}
