import { SymbolsError } from '../symbols-error.ts'
import type { CrashReport } from './crash-report.ts'
import { parseIpsReport } from './ips-report.ts'
import { parseTextReport } from './text-report.ts'

/** Lines that only crash reports of Apple systems have. `Process:` and `OS Version:` also appear in logs of Android. */
const appleLineStarts = [
  'Incident Identifier:',
  'CrashReporter Key:',
  'Report Version:',
  'Exception Type: {1,8}EXC_',
  'Binary Images:',
  'Last Exception Backtrace:',
  'Thread [0-9]+ (Crashed|name):',
  'Heaviest stack ',
]
const appleLine = new RegExp(`^(?:${appleLineStarts.join('|')})`, 'm')

/** JSON begins like this; a log whose lines start with something in brackets does not. */
const jsonStart = /^\s*(\{\s*["}]|\[\s*[[\]{"])/

/** Whether a text has a line that only crash reports of Apple systems have. */
export function hasAppleLine(text: string): boolean {
  return appleLine.test(text)
}

/** Whether a text begins like JSON. */
export function hasJsonStart(text: string): boolean {
  return jsonStart.test(withoutByteOrderMark(text.slice(0, 1000)))
}

/**
 * Parses a crash report of any of Apple's forms. A line that only text reports have decides before JSON at the head
 * does: JSON cannot hold such a line, but a log may begin with JSON. Throws `malformed-report`, `unknown-report`,
 * `too-large`.
 */
export function parseReport(text: string): CrashReport {
  const report = withoutByteOrderMark(text)
  if (hasAppleLine(report)) return parseTextReport(report)
  if (hasJsonStart(report)) return parseIpsReport(report)
  throw new SymbolsError('unknown-report', 'It is neither an .ips report nor a .crash report of an Apple system.')
}

function withoutByteOrderMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text
}
