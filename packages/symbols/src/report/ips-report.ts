/**
 * An `.ips` report: a line of JSON that says what it is, then its body. The body of a crash (bug type 309) is JSON with threads and used
 * images; that of others may be JSON without any, or text. A body alone is taken as well.
 */
import { SymbolsError } from '../symbols-error.ts'
import type { CrashReport, ReportFrame, ReportImage, ReportThread } from './crash-report.ts'
import { toIpsLines } from './ips-text.ts'
import { isObject, type JsonObject, toInteger, toList, toObject, toText } from './json-value.ts'
import { maxFrames } from './limits.ts'
import { formatFrameLine, toHexadecimal } from './frame-line.ts'
import { parseTextReport } from './text-report.ts'
import { toUuid } from './uuid.ts'

export function parseIpsReport(text: string): CrashReport {
  const lineEnd = text.indexOf('\n')
  const header = lineEnd < 0 ? undefined : tryParse(text.slice(0, lineEnd))
  if (header === undefined) return parseBody({}, parseJson(text, 0))
  const body = text.slice(lineEnd + 1)
  if (body.trim() === '') throw new SymbolsError('malformed-report', 'It ends after its header.')
  if (!/^\s*[{[]/.test(body)) {
    const report = parseTextReport(body)
    return { ...report, lines: [text.slice(0, lineEnd).trimEnd(), ...report.lines] }
  }
  return parseBody(header, parseJson(body, lineEnd + 1))
}

function tryParse(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function parseJson(text: string, offset: number): JsonObject {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    const start = offset > 0 ? `Its body, which starts at ${offset}, ` : 'It '
    const why = cause instanceof Error ? cause.message : ''
    throw new SymbolsError('malformed-report', `${start}is not JSON: ${why.slice(0, 200)}`, { cause })
  }
  if (!isObject(value)) throw new SymbolsError('unknown-report', 'It is JSON, but not an object.')
  return value
}

function parseBody(header: JsonObject, body: JsonObject): CrashReport {
  const warnings: string[] = []
  const images = toList(body['usedImages']).map((value) => toImage(toObject(value)))
  const counter = { frames: 0 }
  const readFrames = (value: unknown, crashed: boolean) => toFrames(toList(value), images, crashed, counter)
  const faulting = toInteger(body['faultingThread'])
  const threads: ReportThread[] = toList(body['threads']).map((value, index) => {
    const thread = toObject(value)
    const crashed = thread['triggered'] === true || index === faulting
    const name = toText(thread['name']) ?? toText(thread['queue'])
    return { name, crashed, frames: readFrames(thread['frames'], crashed) }
  })
  const exception = readFrames(body['lastExceptionBacktrace'], false)
  if (exception.length > 0) threads.push({ name: 'Last Exception Backtrace', crashed: false, frames: exception })

  if (threads.length === 0) {
    const type = toText(header['bug_type']) ?? toText(body['bug_type'])
    warnings.push(
      type === null ? 'The report holds no threads.' : `This report, of bug type ${type}, holds no threads.`,
    )
  } else if (images.length === 0) {
    warnings.push('The report lists no images, so its frames cannot be matched with any.')
  }
  if (counter.frames > maxFrames) {
    warnings.push(`The report has ${counter.frames} frames; those after the first ${maxFrames} are left out.`)
  }
  return { images, threads, lines: toIpsLines(header, body, threads, images), warnings }
}

function toImage(image: JsonObject): ReportImage {
  const base = toInteger(image['base']) ?? Number.NaN
  return {
    name: toText(image['name']) ?? toText(image['path'])?.split('/').at(-1) ?? '???',
    uuid: toUuid(toText(image['uuid']) ?? ''),
    architecture: toText(image['arch']),
    path: toText(image['path']),
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
  // What is inlined into the frame that a thread stopped in has its address.
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
