import { SymbolsError } from '../symbols-error.ts'
import type { CrashReport } from './crash-report.ts'
import { parseIpsReport } from './ips-report.ts'
import { maxReportLength } from './limits.ts'
import { parseTextReport } from './text-report.ts'

/** Lines that only crash reports of Apple systems have. Logs of Android have `Process:` and `OS Version:` too, so that those do not count. */
const appleLine =
  /^(Incident Identifier:|CrashReporter Key:|Report Version:|Exception Type: {1,8}EXC_|Binary Images:|Last Exception Backtrace:|Thread \d+ (Crashed|name):|Heaviest stack )/m

/** JSON, and not a log whose lines start with something in brackets. */
const jsonStart = /^\s*(\{\s*["}]|\[\s*[[\]{"])/

/** Whether a text is a crash report of an Apple system, and not a trace of Android. */
export function isAppleReport(text: string): boolean {
  return jsonStart.test(text.startsWith('\uFEFF') ? text.slice(1, 1000) : text.slice(0, 1000)) || appleLine.test(text)
}

/** Parses a crash report of any of Apple's forms. Throws `malformed-report`, `unknown-report` or `too-large`. */
export function parseReport(text: string): CrashReport {
  if (text.length > maxReportLength) throw new SymbolsError('too-large', `The report has ${text.length} characters.`)
  const withoutMark = text.startsWith('\uFEFF') ? text.slice(1) : text
  if (jsonStart.test(withoutMark.slice(0, 1000))) return parseIpsReport(withoutMark)
  if (!isAppleReport(withoutMark)) throw new SymbolsError('unknown-report')
  return parseTextReport(withoutMark)
}
