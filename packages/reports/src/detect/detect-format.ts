/** Detects the format of a file by its first bytes, never by its name. */
import { createReportDecoder } from '../text/report-decoder.ts'
import { goTestLog, goTestOutput, unsupportedXml } from './unsupported.ts'

export const sniffedBytes = 16 * 1024
/** In an archive, malformed JSON counts as a broken report only if its first 4 KiB contain the keys of a report. */
const keyCharacters = 4096

export type Detected =
  | { kind: 'junit' | 'instrumentation' | 'none' }
  /** `looksLikeReport` is true if it has the keys of a report near its start. */
  | { kind: 'json'; looksLikeReport: boolean }
  | { kind: 'unsupported'; name: string; advice: string }
  /** A report with the markers that `git merge` leaves for conflicts at its start. */
  | { kind: 'conflict' }
  /** XML with another root, or whose root is not within the first bytes. */
  | { kind: 'xml' }

export function detectFormat(start: Buffer): Detected {
  const text = decodeStart(start)
  const first = /\S/.exec(text)?.[0]
  if (/^\s*<{7} /.test(text) && looksLikeReport(text)) return { kind: 'conflict' }
  if (first === '<') return detectXml(text)
  const isReport = first === '{' && hasReportKeys(text.slice(0, keyCharacters))
  if (!isReport && goTestEvent.test(text)) return { kind: 'unsupported', ...goTestOutput }
  if (first === '{') return { kind: 'json', looksLikeReport: isReport }
  if (/^INSTRUMENTATION_[A-Z_]+: /m.test(text)) return { kind: 'instrumentation' }
  return goTestLine.test(text) ? { kind: 'unsupported', ...goTestLog } : { kind: 'none' }
}

function decodeStart(start: Buffer): string {
  try {
    return createReportDecoder(start).decode(start)
  } catch {
    return ''
  }
}

function detectXml(text: string): Detected {
  const root = findRoot(text)
  if (root === undefined) return { kind: 'xml' }
  const name = root.slice(root.indexOf(':') + 1)
  if (name === 'testsuites' || name === 'testsuite') return { kind: 'junit' }
  const unsupported = unsupportedXml[name]
  return unsupported ? { kind: 'unsupported', ...unsupported } : { kind: 'xml' }
}

/** Returns the name of the root element: the first tag after declarations, comments and a DOCTYPE. */
function findRoot(text: string): string | undefined {
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at)) {
    const next = text[at + 1]
    if (next !== '?' && next !== '!') return /^[^\s/>=]{1,200}/.exec(text.slice(at + 1, at + 300))?.[0]
    const closing = next === '?' ? '?>' : text.startsWith('<!--', at) ? '-->' : '>'
    const bracket = text.indexOf('[', at)
    const plain = text.indexOf(closing, at)
    const hasSubset = closing === '>' && bracket !== -1 && bracket < plain
    const end = hasSubset ? text.indexOf('>', text.indexOf(']', bracket)) : plain
    if (end === -1) return undefined
    at = end + closing.length
  }
  return undefined
}

/**
 * An event of `go test -json`, which writes an object for each line. Events of `go build` have no time, and what the
 * `go` command says on its standard error may stand before the first one.
 */
const goTestEvent = new RegExp(
  String.raw`^[ \t]*\{(?=[^\n]*"Action" ?: ?"(?:start|run|pause|cont|pass|bench|fail|output|skip|attr|build-\w+)")` +
    String.raw`(?=[^\n]*"(?:Package|ImportPath|Test|Output)" ?: ?")`,
  'm',
)

/** A line that `go test` writes for people: the start or the result of a test, or the result of a package. */
const goTestLine = new RegExp(
  String.raw`^=== RUN {3}(?:Test|Fuzz|Example|Benchmark)\S*\r?$` +
    String.raw`|^ *--- (?:PASS|FAIL|SKIP): (?:Test|Fuzz|Example)\S* \(\d+\.\d+s\)\r?$` +
    String.raw`|^(?:ok {2}|FAIL|\? {3})\t\S+\t(?:\d+\.\d+s|\(cached\)|\[no test files\])`,
  'm',
)

function looksLikeReport(text: string): boolean {
  const start = text.slice(0, keyCharacters)
  return /<testsuites?[\s>]/.test(start) || hasReportKeys(start)
}

function hasReportKeys(text: string): boolean {
  const has = (key: string) => text.includes(`"${key}"`)
  return (has('uuid') && has('status')) || (has('results') && has('tests')) || has('testNodes')
}
