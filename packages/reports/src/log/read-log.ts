/** Reads files with times: logcat, logs with ISO 8601 dates, HAR files and transcripts of the channel. */

export interface LogEntry {
  /** Epoch milliseconds; the times of a log without a time zone are read as UTC. */
  at: number
  kind: 'log' | 'request' | 'message'
  isError: boolean
  text: string
}

export interface ReadLog {
  entries: LogEntry[]
  /** Whether the times say their zone, so that they can be compared with those of other files. */
  isZoned: boolean
  /** When the case started by the log itself, if it says so. */
  startedAt: number | null
  isCut: boolean
}

/** The most entries of one file, and the most characters of one entry. */
const maxEntries = 5000
const maxText = 500
const maxLines = 200_000

const logcatLine = /^(\d\d)-(\d\d) (\d\d:\d\d:\d\d\.\d{3})\s+(?:\d+\s+\d+\s+)?([VDIWEF])[ /](.*)$/
const isoLine = /^[[(]?(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?)\s?(Z|[+-]\d\d:?\d\d)?[\])]?\s*(.*)$/
const errorWords = /\b(error|fatal|exception|failed)\b/i

/** Reads a log; undefined if no line of it has a time. */
export function readLog(text: string, year: number): ReadLog | undefined {
  return readHar(text) ?? readTranscript(text) ?? readLines(text, year)
}

function readLines(text: string, year: number): ReadLog | undefined {
  const entries: LogEntry[] = []
  let isZoned = false
  let startedAt: number | null = null
  let isCut = false
  for (const line of text.split('\n', maxLines)) {
    const entry = readLogcat(line, year) ?? readIso(line)
    if (!entry) continue
    if (entries.length >= maxEntries) {
      isCut = true
      break
    }
    if (entry.isZoned) isZoned = true
    // `am instrument` writes this line when the test begins.
    if (/TestRunner\s*:\s*started\b/.test(entry.text)) startedAt = entry.at
    entries.push({ at: entry.at, kind: 'log', isError: entry.isError, text: entry.text.slice(0, maxText) })
  }
  return entries.length === 0 ? undefined : { entries, isZoned, startedAt, isCut }
}

function readLogcat(line: string, year: number) {
  const match = logcatLine.exec(line.slice(0, 4000))
  if (!match) return undefined
  const [, month, day, time, level = '', text = ''] = match
  const at = Date.parse(`${year}-${month}-${day}T${time}Z`)
  return Number.isNaN(at) ? undefined : { at, isError: level === 'E' || level === 'F', text, isZoned: false }
}

function readIso(line: string) {
  const match = isoLine.exec(line.slice(0, 4000))
  if (!match) return undefined
  const [, date = '', zone, text = ''] = match
  const at = Date.parse(`${date.replace(' ', 'T').replace(',', '.')}${zone ?? 'Z'}`)
  return Number.isNaN(at) ? undefined : { at, isError: errorWords.test(text), text, isZoned: zone !== undefined }
}

/** Reads the network log of a browser or proxy, which is JSON. */
function readHar(text: string): ReadLog | undefined {
  if (!/^\s*\{\s*"log"\s*:/.test(text)) return undefined
  const log = toRecord(toRecord(parse(text))?.['log'])
  const found = log?.['entries']
  if (!Array.isArray(found)) return undefined
  const entries = found.slice(0, maxEntries).flatMap((one: unknown): LogEntry[] => {
    const entry = toRecord(one)
    const request = toRecord(entry?.['request'])
    const at = Date.parse(toText(entry?.['startedDateTime']))
    if (!entry || !request || Number.isNaN(at)) return []
    const status = toRecord(entry['response'])?.['status']
    const time = typeof entry['time'] === 'number' ? `, ${Math.round(entry['time'])} ms` : ''
    const line = `${toText(request['method'])} ${toText(request['url'])} → ${Number(status)}${time}`
    const isError = typeof status !== 'number' || status === 0 || status >= 400
    return [{ at, kind: 'request', isError, text: line.slice(0, maxText) }]
  })
  return entries.length === 0
    ? undefined
    : { entries, isZoned: true, startedAt: null, isCut: found.length > maxEntries }
}

/** Reads the JSON lines that `launch({ transcript })` of packages/channel writes. */
function readTranscript(text: string): ReadLog | undefined {
  const lines = text.split('\n', maxEntries + 1)
  const first = toRecord(parse(lines[0] ?? ''))
  if (first === undefined || !('date' in first) || !('direction' in first)) return undefined
  const entries = lines.slice(0, maxEntries).flatMap((line): LogEntry[] => {
    const entry = toRecord(parse(line))
    const at = Date.parse(toText(entry?.['date']))
    if (!entry || Number.isNaN(at)) return []
    const { direction, kind, name, content, detail } = entry
    const arrow = direction === 'sent' ? '→ ' : direction === 'received' ? '← ' : ''
    const body = content === undefined ? toText(detail) : JSON.stringify(content)
    const words = [toText(kind), toText(name), body].filter((part) => part !== '')
    return [{ at, kind: 'message', isError: kind === 'error', text: `${arrow}${words.join(' ')}`.slice(0, maxText) }]
  })
  return { entries, isZoned: true, startedAt: null, isCut: lines.length > maxEntries }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function toRecord(value: unknown): Record<string, unknown> | undefined {
  return isRecord(value) ? value : undefined
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
