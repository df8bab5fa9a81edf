/**
 * Reader of `.ips` reports: a header, which is one line of JSON, then a body. The body of a crash (bug type 309) is
 * JSON with threads and used images; other bug types may have JSON without them, or text. A body alone is read as well,
 * and so is a payload of MetricKit, which is one JSON document.
 */
import { SymbolsError } from '../symbols-error.ts'
import type { CrashReport, ReportFrame, ReportImage, ReportThread } from './crash-report.ts'
import { toIpsLines } from './ips-text.ts'
import { isObject, type JsonObject, toInteger, toList, toObject, toText } from './json-value.ts'
import { maxFrames, maxImages, maxNameLength, maxThreads } from './limits.ts'
import { parseJson } from './parse-json.ts'
import { formatFrameLine, toHexadecimal } from './frame-line.ts'
import { isDiagnosticPayload, parseDiagnosticPayload } from './metric-kit.ts'
import { parseTextReport } from './text-report.ts'
import { toUuid } from './uuid.ts'

/** Throws `malformed-report`, `unknown-report`, `too-large`. */
export function parseIpsReport(text: string): CrashReport {
  const lineEnd = text.indexOf('\n')
  const header = lineEnd < 0 ? undefined : parseHeader(text.slice(0, lineEnd))
  if (header === undefined || isDiagnosticPayload(header)) {
    const document = parseJson(text, 0)
    return isDiagnosticPayload(document) ? parseDiagnosticPayload(document) : parseBody({}, document)
  }
  const body = text.slice(lineEnd + 1)
  if (body.trim() === '') throw new SymbolsError('malformed-report', 'It ends after its header.')
  if (/^\s*[{[]/.test(body)) return parseBody(header, parseIpsJson(header, body, lineEnd + 1))
  const report = parseTextReport(body)
  if (report.threads.length === 0) requireBugType(header)
  return { ...report, lines: [text.slice(0, lineEnd).trimEnd(), ...report.lines] }
}

/** The longest header line that is looked at, in UTF-16 code units. Real ones have about five hundred. */
const longestHeader = 64 * 1024

function parseHeader(text: string): JsonObject | undefined {
  if (text.length > longestHeader) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** A log of JSON lines begins like a header and a body, but only a real header says the bug type. */
function parseIpsJson(header: JsonObject, body: string, offset: number): JsonObject {
  try {
    return parseJson(body, offset)
  } catch (error) {
    if (error instanceof SymbolsError && error.code === 'malformed-report') requireBugType(header)
    throw error
  }
}

function requireBugType(...parts: JsonObject[]): void {
  if (parts.some((part) => part['bug_type'] !== undefined || part['incident_id'] !== undefined)) return
  throw new SymbolsError('unknown-report', 'It is JSON, but it has no threads and no bug type.')
}

function parseBody(header: JsonObject, body: JsonObject): CrashReport {
  const warnings: string[] = []
  const imageList = toList(body['usedImages'])
  const threadList = toList(body['threads'])
  const images = imageList.slice(0, maxImages).map((value) => toImage(toObject(value)))
  const counter = { frames: 0 }
  const readFrames = (value: unknown, crashed: boolean) => toFrames(toList(value), images, crashed, counter)
  const faulting = toInteger(body['faultingThread'])
  const threads: ReportThread[] = threadList.slice(0, maxThreads).map((value, index) => {
    const thread = toObject(value)
    const crashed = thread['triggered'] === true || index === faulting
    const name = (toText(thread['name']) ?? toText(thread['queue']))?.slice(0, maxNameLength) ?? null
    return { name, crashed, frames: readFrames(thread['frames'], crashed) }
  })
  const exception = readFrames(body['lastExceptionBacktrace'], false)
  if (exception.length > 0) threads.push({ name: 'Last Exception Backtrace', crashed: false, frames: exception })

  if (threads.length === 0) {
    requireBugType(header, body)
    const type = toText(header['bug_type']) ?? toText(body['bug_type'])
    warnings.push(
      type === null ? 'The report holds no threads.' : `This report, of bug type ${type}, holds no threads.`,
    )
  } else if (images.length === 0) {
    warnings.push('The report lists no images, so its frames cannot be matched with any.')
  }
  if (threadList.length > maxThreads) {
    warnings.push(`The report has ${threadList.length} threads; those after the first ${maxThreads} are left out.`)
  }
  if (imageList.length > maxImages) {
    warnings.push(`The report has ${imageList.length} images; those after the first ${maxImages} are left out.`)
  }
  if (counter.frames > maxFrames) {
    warnings.push(`The report has ${counter.frames} frames; those after the first ${maxFrames} are left out.`)
  }
  return { images, threads, lines: toIpsLines(header, body, threads, images), warnings }
}

function toImage(image: JsonObject): ReportImage {
  const base = toInteger(image['base']) ?? Number.NaN
  const name = toText(image['name']) ?? toText(image['path'])?.slice(-maxNameLength).split('/').at(-1) ?? '???'
  return {
    name: name.slice(0, maxNameLength),
    uuid: toUuid(toText(image['uuid']) ?? ''),
    architecture: toText(image['arch'])?.slice(0, maxNameLength) ?? null,
    path: toText(image['path'])?.slice(0, maxNameLength) ?? null,
    base,
    end: base + (toInteger(image['size']) ?? 0),
  }
}

function toFrames(
  values: readonly unknown[],
  images: readonly ReportImage[],
  crashed: boolean,
  counter: { frames: number },
): ReportFrame[] {
  const room = Math.max(0, maxFrames - counter.frames)
  counter.frames += values.length
  const frames = values.slice(0, room).map(toObject)
  // A frame that was inlined into the one that the thread stopped in has the same address, which is no return address.
  const faulting = crashed ? frames.findIndex((frame) => frame['inline'] !== true) : -1
  return frames.map((frame, index) => toFrame(frame, index, images, index > faulting))
}

function toFrame(
  frame: JsonObject,
  index: number,
  images: readonly ReportImage[],
  isReturnAddress: boolean,
): ReportFrame {
  const image = images[toInteger(frame['imageIndex']) ?? -1]
  const given = toInteger(frame['imageOffset'])
  const offset = given !== null && given >= 0 && given <= 0xffffffff ? given : undefined
  const address = image && offset !== undefined && !Number.isNaN(image.base) ? image.base + offset : undefined
  const symbol = toText(frame['symbol'])
  const base = image && !Number.isNaN(image.base) ? toHexadecimal(image.base) : '???'
  const where =
    symbol === null ? `${base} + ${given ?? '???'}` : `${symbol} + ${toInteger(frame['symbolLocation']) ?? 0}`
  const parsed = {
    index,
    image,
    module: image?.name ?? null,
    address,
    offset,
    isReturnAddress,
    isInlined: frame['inline'] === true,
    symbol,
    file: toText(frame['sourceFile']),
    line: toInteger(frame['sourceLine']),
  }
  return { ...parsed, raw: formatFrameLine(parsed, where) }
}
