import type { SymbolicatedCrash } from '@fairlead/contract'

/** A summary of a crash report for the head of the page. */
export interface CrashSummary {
  /** The exception or the signal, such as `java.lang.IllegalStateException` or `EXC_BAD_ACCESS (SIGSEGV)`. */
  title: string | null
  message: string | null
  facts: (readonly [name: string, value: string])[]
}

/** Only this many lines of a report are read: later ones say nothing about the whole crash, and a log may be long. */
const readLines = 20_000

/** Only this many characters of a line are read. */
const readCharacters = 2000

/** Reads the head of a report: of an Apple crash report as text, or of an Android trace, log or tombstone. */
export function readCrashSummary({
  kind,
  text,
  threads,
}: Pick<SymbolicatedCrash, 'kind' | 'text' | 'threads'>): CrashSummary {
  const lines = text.split('\n', readLines).map((line) => line.slice(0, readCharacters).trimEnd())
  if (kind === 'apple') return readAppleSummary(lines)
  const thrown = (threads.find(({ crashed }) => crashed) ?? threads[0])?.exception
  const exception = thrown === undefined ? readDartException(lines) : splitException(thrown)
  const summary = readAndroidSummary(lines)
  if (exception === null) return summary
  const causes = threads.flatMap(({ name }) => /^Caused by:? (.*)/.exec(name ?? '')?.[1] ?? [])
  const root = causes.at(-1)
  return {
    ...summary,
    ...exception,
    facts: [...(root === undefined ? [] : [['Caused by', root] as const]), ...summary.facts],
  }
}

/** R8 and the runtime write these in the place of a file. The number beside one is a line of no file. */
const placeholderFile = /^(?:SourceFile|Unknown Source|r8-map-id-[\w-]+)$/

/** Whether a frame says where in the source it is. */
export function hasSourceLine({ file, line }: { file: string | null; line: number | null }): boolean {
  return file !== null && line !== null && !placeholderFile.test(file)
}

function splitException(text: string): Pick<CrashSummary, 'title' | 'message'> {
  const [, title = text, message] = /^([^\s:]+):\s(.*)$/s.exec(text) ?? []
  return { title: title.replace(/:$/, ''), message: message ?? null }
}

/** Dart prints the exception behind `Unhandled exception:`, or on the line below it. */
function readDartException(lines: string[]): Pick<CrashSummary, 'title' | 'message'> | null {
  const heading = /Unhandled exception:\s*(.*)$/i
  const at = lines.findIndex((line) => heading.test(line))
  if (at === -1) return null
  const same = heading.exec(lines[at] ?? '')?.[1] ?? ''
  const text =
    same === '' ? (lines[at + 1] ?? '').replace(/^.{0,300}? flutter ?(?:\(\s{0,8}\d{1,8}\))?: /i, '').trim() : same
  return text === '' ? null : splitException(text)
}

function readAppleSummary(lines: string[]): CrashSummary {
  const find = createFinder(lines)
  const version = find(/^Version:\s+(.+)/)
  const information = lines.indexOf('Application Specific Information:')
  const message =
    find(/^Exception Reason:\s+(.+)/) ??
    find(/^(?:Exception Message|Exception Note|Exception Subtype):\s+(.+)/) ??
    (information === -1 ? null : (lines[information + 1] ?? null))
  return {
    title: find(/^Exception Type:\s+(.+)/),
    message,
    facts: toFacts([
      ['Reason', find(/^Termination Reason:\s+(.+)/)],
      ['Codes', find(/^Exception Codes:\s+(.+)/)],
      ['App', joined(find(/^Identifier:\s+(.+)/) ?? find(/^Process:\s+(.+)/), version)],
      ['Device', find(/^Hardware Model:\s+(.+)/)],
      ['System', find(/^OS Version:\s+(.+)/)],
      ['Time', find(/^Date\/Time:\s+(.+)/)],
    ]),
  }
}

/** Matches text before an exception: the prefix of a log line, or the name of the thread. */
const exceptionPrefix = /^(?:.{0,200}?(?:E\/|E )AndroidRuntime[^:]*:\s+)?(?:Exception in thread "[^"]*" )?/

const exceptionLine = /^((?:[\w$]+\.)+[\w$]*(?:Exception|Error|Throwable)[\w$]*)(?::\s*(.*))?$/

function readAndroidSummary(lines: string[]): CrashSummary {
  const find = createFinder(lines)
  const exception = lines
    .map((line) => exceptionLine.exec(line.trimStart().replace(exceptionPrefix, '')))
    .find((match) => match !== null)
  const signal = find(/\b(signal \d+ \(SIG\w+\).*)/)
  const abort = find(/Abort message: '(.*)'/)
  return {
    title: exception?.[1] ?? signal,
    message: exception ? (exception[2] ?? null) : abort,
    facts: toFacts([
      ['Signal', exception ? signal : null],
      ['App', find(/>>> (\S+) <<</) ?? find(/\bProcess: ([\w.:]+)/) ?? find(/^Cmdline: (\S+)/)],
      ['Version', find(/^(?:Package|App version|Version(?: name)?): (.+)/i)],
      ['Device', find(/^(?:Device|Hardware|Model):\s*(.+)/i) ?? readDevice(find(/Build fingerprint: '([^']+)'/))],
      ['System', find(/^(?:Android|OS)(?: version)?:\s*(.+)/i) ?? readAndroid(find(/Build fingerprint: '([^']+)'/))],
      ['Architecture', find(/^ABI: '([^']+)'/)],
      ['Time', find(/^Timestamp: (.+)/)],
    ]),
  }
}

/** Matches `brand/product/device:release/…`, the beginning of a build fingerprint of Android. */
function readDevice(fingerprint: string | null): string | null {
  const [, brand, , device] = /^([^/]+)\/([^/]+)\/([^:/]+):/.exec(fingerprint ?? '') ?? []
  return brand === undefined || device === undefined ? null : `${brand} ${device}`
}

function readAndroid(fingerprint: string | null): string | null {
  const release = /^[^:]+:([^/]+)\//.exec(fingerprint ?? '')?.[1]
  return release === undefined ? null : `Android ${release}`
}

function createFinder(lines: string[]): (pattern: RegExp) => string | null {
  return (pattern) => {
    for (const line of lines) {
      const value = pattern.exec(line)?.[1]?.trim()
      if (value !== undefined && value !== '') return value
    }
    return null
  }
}

function joined(name: string | null, version: string | null): string | null {
  return name === null || version === null ? (name ?? version) : `${name} ${version}`
}

function toFacts(facts: (readonly [string, string | null])[]): CrashSummary['facts'] {
  return facts.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]))
}
