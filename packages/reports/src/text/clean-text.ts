import { outOfRange } from '@fairlead/invariant'

/** Terminal colours and cursor movements: CSI sequences, and OSC sequences up to their end. */
// oxlint-disable-next-line no-control-regex
const ansi = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]{0,2000}(?:\u0007|\u001b\\))/g
/** Characters that XML 1.0 forbids, except lone surrogates. */
// oxlint-disable-next-line no-control-regex
const forbiddenInXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

/** Whether a text contains characters that XML 1.0 forbids, except lone surrogates. */
export function hasForbidden(text: string): boolean {
  forbiddenInXml.lastIndex = 0
  return forbiddenInXml.test(text)
}

/** Removes ANSI sequences and replaces characters that XML forbids by U+FFFD. */
export function cleanXmlText(text: string): string {
  return text.replaceAll(ansi, '').replaceAll(forbiddenInXml, '\ufffd').toWellFormed()
}

/** Removes ANSI sequences and replaces NUL and lone surrogates, which no database stores, by U+FFFD. */
export function cleanText(text: string): string {
  if (!text.includes('\u001b') && !text.includes('\0') && text.isWellFormed()) return text
  return text.replaceAll(ansi, '').replaceAll('\0', '\ufffd').toWellFormed()
}

/** Collapses runs of white space into one space and trims the text; null if nothing is left. */
export function toLine(text: string | null | undefined): string | null {
  if (text === null || text === undefined) return null
  const line = /\s\s|[^\S ]|^ | $/.test(text) ? text.replaceAll(/\s+/g, ' ').trim() : text
  return line === '' ? null : line
}

/** Cuts a text to a number of bytes of UTF-8 without splitting a character. */
export function cutToBytes(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes) return text
  const start = text.slice(0, maxBytes)
  if (Buffer.byteLength(start) <= maxBytes) return start.toWellFormed() === start ? start : start.slice(0, -1)
  const bytes = Buffer.from(start).subarray(0, maxBytes)
  let end = bytes.length
  while (end > 0 && ((bytes[end - 1] ?? outOfRange()) & 0xc0) === 0x80) end--
  const lead = bytes[end - 1] ?? outOfRange()
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1
  const whole = end - 1 + length <= bytes.length ? end - 1 + length : end - 1
  return bytes.toString('utf8', 0, whole)
}

/**
 * Copies a text that is kept for long. A part of a larger string keeps the whole of it in memory, which for a name is
 * a chunk of the report.
 */
export function copyText(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le')
}
