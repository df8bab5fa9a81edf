import { SymbolsError } from '../symbols-error.ts'
import { maxLines, maxReportLength } from './limits.ts'

const newline = 0x0a
const carriageReturn = 0x0d

/** Counts characters and lines before any object is made from them. Throws `too-large`. */
export function checkReportSize(text: string): void {
  if (text.length > maxReportLength) throw new SymbolsError('too-large', `The report has ${text.length} characters.`)
  if (hasMoreLines(text, maxLines)) throw new SymbolsError('too-large', `The report has more than ${maxLines} lines.`)
}

function hasMoreLines(text: string, limit: number): boolean {
  let lines = 1
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code !== newline && (code !== carriageReturn || text.charCodeAt(at + 1) === newline)) continue
    if (++lines > limit) return true
  }
  return false
}
