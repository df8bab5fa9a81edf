import { SymbolsError } from '../symbols-error.ts'
import type { CrashReport } from './crash-report.ts'
import { parseIpsReport } from './ips-report.ts'
import { maxReportLength } from './limits.ts'
import { parseTextReport } from './text-report.ts'

/** Lines that only crash reports of Apple systems have. A logcat has `Process:` too, so that one does not count. */
const appleLine =
  /^(Incident Identifier:|Hardware Model:|CrashReporter Key:|Report Version:|OS Version:|Binary Images:|Last Exception Backtrace:|Thread \d+ Crashed:|Heaviest stack )/m

/** Whether a text is a crash report of an Apple system, and not a trace of Android. */
export function isAppleReport(text: string): boolean {
  return /^\s*[{[]/.test(text) || appleLine.test(text)
}

/** Parses a crash report of any of Apple's forms. Throws `malformed-report`, `unknown-report` or `too-large`. */
export function parseReport(text: string): CrashReport {
  if (text.length > maxReportLength) throw new SymbolsError('too-large', `The report has ${text.length} characters.`)
  const withoutMark = text.startsWith('\uFEFF') ? text.slice(1) : text
  if (/^\s*[{[]/.test(withoutMark)) return parseIpsReport(withoutMark)
  if (!isAppleReport(withoutMark)) throw new SymbolsError('unknown-report')
  return parseTextReport(withoutMark)
}
