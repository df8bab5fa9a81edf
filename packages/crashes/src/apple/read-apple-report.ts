/**
 * Reads Apple's `.ips` and `.crash` reports. The symbols package parses them; this adds the fields of their headings.
 */
import { type AppleReport, parseAppleReport } from '@fairlead/symbols'
import { emptyFrame, noDetails, type ReadCrash, type ReadThread, type ReportedFrame } from '../crash.ts'
import { isAppPath } from '../image-places.ts'
import { maxFrames, maxImages, maxNameLength } from '../limits.ts'
import { splitOsVersion } from '../os-version.ts'
import { limitThreads } from '../stack/limit-threads.ts'
import { toUuid } from '../uuid.ts'

const longestMessage = 16_384
/** The number of lines in which headings are searched. They precede the first thread. */
const headingLines = 200

/** @throws {SymbolsError} when the report is damaged or over a limit */
export function readAppleReport(text: string, digest: string): ReadCrash {
  const report = parseAppleReport(text)
  const headings = readHeadings(report)
  const heading = (name: string) => headings.get(name) ?? null
  const version = /^(.+?) \((.+)\)$/.exec(heading('Version') ?? '')
  const { frames, threads } = readThreads(report)
  const type = /^(EXC_\w+|SIG\w+)/.exec(heading('Exception Type') ?? '')?.[1]
  return {
    source: 'apple',
    sourceId: (heading('Incident Identifier') ?? digest).toLowerCase(),
    kind: 'crash',
    isFatal: true,
    occurredAt: toTime(heading('Date/Time')),
    package: heading('Identifier'),
    shortVersion: version?.[1] ?? heading('Version'),
    version: version?.[2] ?? null,
    deviceModel: heading('Hardware Model'),
    ...splitOsVersion(heading('OS Version')),
    installId: heading('CrashReporter Key'),
    exceptions: type === undefined ? [] : [{ type, message: findMessage(report) }],
    frames,
    images: report.images.slice(0, maxImages).flatMap(({ name, uuid, architecture, path }) => {
      const id = toUuid(uuid)
      return id === null ? [] : [{ name, uuid: id, architecture, isApp: isAppPath(path) }]
    }),
    mappingIds: [],
    fingerprint: null,
    breadcrumbs: [],
    platform: 'apple',
    ...noDetails,
    threads,
  }
}

/** Reads the lines `Name: value` before the first thread. */
function readHeadings({ lines }: AppleReport): Map<string, string> {
  const headings = new Map<string, string>()
  for (const line of lines.slice(0, headingLines)) {
    if (typeof line !== 'string' || /^Thread \d/.test(line)) break
    const pair = /^([A-Z][A-Za-z/ ]{1,40}):[ \t]*(\S.{0,500}?)[ \t]*$/.exec(line)
    if (pair?.[1] !== undefined && pair[2] !== undefined && !headings.has(pair[1])) headings.set(pair[1], pair[2])
  }
  return headings
}

const exceptionName = 'Last Exception Backtrace'

/** The backtrace of the last exception says more than that of the thread, which only shows `abort`. */
function readThreads({ threads, lines }: AppleReport): { frames: ReportedFrame[]; threads: ReadThread[] } {
  const own = threads.filter(({ name }) => name !== exceptionName)
  const exception = threads.find(({ name, frames }) => name === exceptionName && frames.length > 0)
  const crashed = threads.find((thread) => thread.crashed) ?? threads[findCrashedThread(lines)]
  const ordered = exception ? [exception, ...own] : own
  const read = ordered.map((thread) => ({
    id: thread === exception ? null : String(own.indexOf(thread)),
    name: thread.name?.slice(0, maxNameLength) ?? null,
    state: null,
    isCrashed: thread === exception || thread === crashed,
    frames: toFrames(thread.frames),
  }))
  return { frames: toFrames((exception ?? crashed)?.frames ?? []), threads: limitThreads(read) }
}

function toFrames(frames: AppleReport['threads'][number]['frames']): ReportedFrame[] {
  return frames
    .filter((frame) => !frame.isInlined)
    .slice(0, maxFrames)
    .map((frame, place) => ({
      ...emptyFrame,
      function: frame.symbol,
      file: frame.file,
      line: frame.line,
      imageUuid: toUuid(frame.image?.uuid),
      imageOffset: frame.offset ?? null,
      address: frame.address === undefined ? null : BigInt(frame.address),
      module: frame.module,
      ...(place === 0 && frame.isReturnAddress && { isReturnAddress: true }),
    }))
}

function findCrashedThread(lines: AppleReport['lines']): number {
  for (const line of lines.slice(0, headingLines)) {
    const number =
      typeof line === 'string' ? /^(?:Crashed Thread|Triggered by Thread):\s*(\d{1,6})/.exec(line)?.[1] : undefined
    if (number !== undefined) return Number(number)
  }
  return -1
}

function findMessage({ lines }: AppleReport): string | null {
  const start = lines.indexOf('Application Specific Information:')
  const line = start < 0 ? undefined : lines[start + 1]
  return typeof line === 'string' && line.trim() !== '' ? line.trim().slice(0, longestMessage) : null
}

/** Matches `2026-11-20 09:00:03.1234 +0100`, which Date.parse accepts if the fraction has three digits. */
function toTime(text: string | null): number | null {
  const parts = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})(\.\d{1,3})?\d* ?([+-]\d{4})?$/.exec(text ?? '')
  if (!parts) return null
  const zone = parts[4] === undefined ? 'Z' : `${parts[4].slice(0, 3)}:${parts[4].slice(3)}`
  const time = Date.parse(`${parts[1]}T${parts[2]}${parts[3] ?? ''}${zone}`)
  return Number.isNaN(time) ? null : time
}
