/**
 * Reader of MetricKit's daily payload (`MXDiagnosticPayload.jsonRepresentation()`): diagnostics of crashes and hangs,
 * each with a tree of call stacks. As crash intake does, it takes the first branch of each tree.
 */
import type { CrashReport, ReportFrame, ReportImage, ReportThread } from './crash-report.ts'
import { formatFrameLine, toHexadecimal } from './frame-line.ts'
import { isObject, type JsonObject, toInteger, toList, toObject, toText } from './json-value.ts'
import { maxFrames, maxImages, maxNameLength, maxThreads } from './limits.ts'
import { toUuid } from './uuid.ts'

const kinds = [
  { list: 'crashDiagnostics', name: 'Crash', crashed: true },
  { list: 'hangDiagnostics', name: 'Hang', crashed: false },
] as const

const pageSize = 4096

/** Whether a JSON document is a MetricKit payload of crashes or hangs. */
export function isDiagnosticPayload(document: JsonObject): boolean {
  return kinds.some(({ list }) => Array.isArray(document[list]))
}

export function parseDiagnosticPayload(document: JsonObject): CrashReport {
  const report: CrashReport = { images: [], threads: [], lines: [], warnings: [] }
  const images = new Map<string, ReportImage>()
  const room = { frames: maxFrames }
  for (const { list, name, crashed } of kinds) {
    for (const diagnostic of toList(document[list]).map(toObject)) {
      const meta = toObject(diagnostic['diagnosticMetaData'])
      report.lines.push(...toHeading(name, meta), '')
      const architecture = toText(meta['platformArchitecture'])?.slice(0, maxNameLength) ?? null
      for (const stack of toList(toObject(diagnostic['callStackTree'])['callStacks']).map(toObject)) {
        if (report.threads.length >= maxThreads) break
        const isBlamed = stack['threadAttributed'] === true
        const frames = walk(stack).slice(0, room.frames)
        room.frames -= frames.length
        const thread: ReportThread = {
          name: isBlamed ? name : null,
          crashed: crashed && isBlamed,
          frames: frames.map((frame, index) => toFrame(frame, index, findImage(frame, architecture, images))),
        }
        report.lines.push(`Thread ${report.threads.length}${thread.crashed ? ' Crashed' : ''}:`, ...thread.frames, '')
        report.threads.push(thread)
      }
    }
  }
  if (room.frames === 0) report.warnings.push(`Frames after the first ${maxFrames} are left out.`)
  report.images = [...images.values()]
  return report
}

/** Lists the frames of a stack: its root is the innermost one, and each contains its caller. */
function walk(stack: JsonObject): JsonObject[] {
  const frames: JsonObject[] = []
  let frame = toList(stack['callStackRootFrames'])[0]
  while (isObject(frame) && frames.length < maxFrames) {
    frames.push(frame)
    frame = toList(frame['subFrames'])[0]
  }
  return frames
}

function findImage(
  frame: JsonObject,
  architecture: string | null,
  images: Map<string, ReportImage>,
): ReportImage | undefined {
  const uuid = toUuid(toText(frame['binaryUUID']) ?? '')
  if (uuid === null) return undefined
  const known = images.get(uuid)
  if (known || images.size >= maxImages) return known
  const address = toInteger(frame['address'])
  const offset = toOffset(frame)
  const base = address === null || offset === undefined ? Number.NaN : address - offset
  const name = toText(frame['binaryName'])?.slice(0, maxNameLength) ?? '???'
  const image = { name, uuid, architecture, path: null, base, end: base }
  images.set(uuid, image)
  return image
}

function toFrame(frame: JsonObject, index: number, image: ReportImage | undefined): ReportFrame {
  const offset = toOffset(frame)
  const parsed = {
    index,
    image,
    module: toText(frame['binaryName'])?.slice(0, maxNameLength) ?? null,
    address: toInteger(frame['address']) ?? undefined,
    offset,
    isReturnAddress: index > 0,
    isInlined: false,
    symbol: null,
    file: null,
    line: null,
  }
  const base = image && !Number.isNaN(image.base) ? toHexadecimal(image.base) : '???'
  return { ...parsed, raw: formatFrameLine(parsed, `${base} + ${offset ?? '???'}`) }
}

/** Older systems write the page-aligned load address of the image into the field for the offset. */
function toOffset(frame: JsonObject): number | undefined {
  const given = toInteger(frame['offsetIntoBinaryTextSegment'])
  const address = toInteger(frame['address'])
  const isLoadAddress = given !== null && address !== null && given > 0 && given % pageSize === 0 && given <= address
  const offset = isLoadAddress ? address - given : given
  return offset !== null && offset >= 0 && offset <= 0xffffffff ? offset : undefined
}

function toHeading(name: string, meta: JsonObject): string[] {
  const [version, build] = [toText(meta['appVersion']), toText(meta['appBuildVersion'])]
  const reason = toObject(meta['objectiveCexceptionReason'])
  const values: [label: string, value: string | number | null][] = [
    ['Diagnostic:', name],
    ['Identifier:', toText(meta['bundleIdentifier'])],
    ['Version:', version !== null && build !== null ? `${version} (${build})` : (version ?? build)],
    ['Hardware Model:', toText(meta['deviceType'])],
    ['OS Version:', toText(meta['osVersion'])],
    ['Mach Exception:', toInteger(meta['exceptionType'])],
    ['Signal:', toInteger(meta['signal'])],
    ['Exception Name:', toText(reason['exceptionName'])],
    ['Exception Message:', toText(reason['composedMessage'])],
    ['Termination Reason:', toText(meta['terminationReason'])],
    ['Hang Duration:', toText(meta['hangDuration'])],
  ]
  return values.filter(([, value]) => value !== null).map(([label, value]) => `${label.padEnd(20)} ${value}`)
}
