/**
 * One member line of a mapping, as R8 reads it:
 *
 *     [from:to:]type name[(parameters)][:from[:to]] -> obfuscated
 *
 * The first range holds lines of the obfuscated program, the second one lines of the source. After the line of an
 * inlined method, its callers follow on lines of their own with the same first range.
 */
import { isNameCode } from './name-code.ts'

/**
 * A range of line numbers, both ends included. It is cardinal if it was written as a single number, which is how R8
 * writes the position of a call.
 */
export interface LineRange {
  readonly from: number
  readonly to: number
  readonly cardinal: boolean
}

export interface Signature {
  /** For example `void com.example.Foo.bar(int,long)`. Signatures with the same key are equal. */
  readonly key: string
  readonly type: string
  /** Qualified by its class if that is not the class whose lines hold this member. */
  readonly name: string
  /** Types joined by commas; `undefined` for a field. */
  readonly parameters: string | undefined
}

export interface MemberLine {
  readonly minified: LineRange | undefined
  readonly signature: Signature
  readonly original: LineRange | undefined
  readonly obfuscated: string
}

/** The longest line that is read, in bytes. R8's own lines are below a thousand bytes. */
export const maxLineLength = 64 * 1024

interface Cursor {
  readonly line: string
  at: number
}

const colon = 0x3a
const dot = 0x2e

/** Parses a member line; returns `undefined` if the line has another form. */
export function parseMemberLine(line: string): MemberLine | undefined {
  const cursor: Cursor = { line, at: 0 }
  skipSpace(cursor)
  const minified = startsRange(cursor) ? parseRange(cursor) : undefined
  if (minified) {
    skipSpace(cursor)
    if (minified.cardinal || !accept(cursor, colon)) return undefined
    skipSpace(cursor)
  }
  const signature = parseSignature(cursor)
  if (!signature || (minified && signature.parameters === undefined)) return undefined
  skipSpace(cursor)
  let original: LineRange | undefined
  if (accept(cursor, colon)) {
    skipSpace(cursor)
    original = parseRange(cursor)
    if (!original) return undefined
    skipSpace(cursor)
  }
  if (!accept(cursor, 0x2d) || !accept(cursor, 0x3e)) return undefined
  skipSpace(cursor)
  const obfuscated = parseName(cursor, true)
  return obfuscated === undefined || cursor.at !== line.length
    ? undefined
    : { minified, signature, original, obfuscated }
}

/** Creates a signature from its parts. */
export function createSignature(type: string, name: string, parameters: string | undefined): Signature {
  return { key: toSignatureKey(type, name, parameters), type, name, parameters }
}

/** The key of a signature with these parts. */
export function toSignatureKey(type: string, name: string, parameters: string | undefined): string {
  return parameters === undefined ? `${type} ${name}` : `${type} ${name}(${parameters})`
}

function parseSignature(cursor: Cursor): Signature | undefined {
  const start = cursor.at
  const type = parseType(cursor)
  if (type === undefined || !skipSpace(cursor)) return undefined
  const nameStart = cursor.at
  const name = parseName(cursor, true)
  if (name === undefined) return undefined
  const nameEnd = cursor.at
  skipSpace(cursor)
  if (!accept(cursor, 0x28)) return createSignature(type, name, undefined)
  const parameters = parseParameters(cursor)
  if (parameters === undefined) return undefined
  // Most lines contain the key as it is, so it is sliced and need not be put together.
  const length = type.length + name.length + parameters.length + 3
  const isPlain = cursor.at - start === length && nameStart + name.length === nameEnd
  return isPlain
    ? { key: cursor.line.slice(start, cursor.at), type, name, parameters }
    : createSignature(type, name, parameters)
}

/** Returns the types up to the closing bracket, joined by commas. */
function parseParameters(cursor: Cursor): string | undefined {
  const { line } = cursor
  const start = cursor.at
  let hasSpace = skipSpace(cursor)
  for (let count = 0; !accept(cursor, 0x29); count++) {
    if (count > 0 && !accept(cursor, 0x2c)) return undefined
    hasSpace = skipSpace(cursor) || hasSpace
    if (!skipType(cursor)) return undefined
    hasSpace = skipSpace(cursor) || hasSpace
  }
  const text = line.slice(start, cursor.at - 1)
  return hasSpace ? text.replaceAll(/[\s\ufeff]/g, '') : text
}

function skipType(cursor: Cursor): boolean {
  if (!skipName(cursor, false)) return false
  while (accept(cursor, 0x5b)) if (!accept(cursor, 0x5d)) return false
  return true
}

function parseType(cursor: Cursor): string | undefined {
  const start = cursor.at
  return skipType(cursor) ? cursor.line.slice(start, cursor.at) : undefined
}

function parseName(cursor: Cursor, allowInit: boolean): string | undefined {
  const start = cursor.at
  return skipName(cursor, allowInit) ? cursor.line.slice(start, cursor.at) : undefined
}

/** Skips identifiers that are joined by dots. With `allowInit`, one may stand in angle brackets, as in `<init>`. */
function skipName(cursor: Cursor, allowInit: boolean): boolean {
  do if (!skipIdentifier(cursor, allowInit)) return false
  while (accept(cursor, dot))
  return true
}

function skipIdentifier(cursor: Cursor, allowInit: boolean): boolean {
  const inBrackets = allowInit && accept(cursor, 0x3c)
  const first = cursor.line.charCodeAt(cursor.at)
  // Some obfuscators write names that begin with a dot.
  if (!isNameCode(first) && first !== dot) return false
  cursor.at++
  skipNameCodes(cursor)
  if (!inBrackets) return true
  if (!accept(cursor, 0x3e)) return false
  // Redex writes `<clinit>$redex$opt`.
  skipNameCodes(cursor)
  return true
}

function skipNameCodes(cursor: Cursor): void {
  const { line } = cursor
  let { at } = cursor
  while (isNameCode(line.charCodeAt(at))) at++
  cursor.at = at
}

/** A range at the start of the line is digits and a colon. Digits without a colon may begin a name. */
function startsRange(cursor: Cursor): boolean {
  let at = cursor.at
  while (isDigit(cursor.line.charCodeAt(at))) at++
  if (at === cursor.at) return false
  while (isSpace(cursor.line.charCodeAt(at))) at++
  return cursor.line.charCodeAt(at) === colon
}

function parseRange(cursor: Cursor): LineRange | undefined {
  const from = parseNumber(cursor)
  if (from === undefined) return undefined
  const end = cursor.at
  skipSpace(cursor)
  if (!accept(cursor, colon)) {
    cursor.at = end
    return { from, to: from, cardinal: true }
  }
  skipSpace(cursor)
  const to = parseNumber(cursor)
  if (to === undefined) return undefined
  // Old versions of R8 wrote a wrong end of 0, or the two ends in the wrong order.
  if (from <= to) return { from, to, cardinal: false }
  return to === 0 ? { from, to: from, cardinal: false } : { from: to, to: from, cardinal: false }
}

/** Parses a number as a Java `int`: larger ones wrap around, as they do in R8. */
function parseNumber(cursor: Cursor): number | undefined {
  const start = cursor.at
  let value = 0
  for (let code = codeAt(cursor); isDigit(code); code = codeAt(cursor)) {
    value = (Math.imul(value, 10) + code - 0x30) | 0
    cursor.at++
  }
  return cursor.at === start ? undefined : value
}

function skipSpace(cursor: Cursor): boolean {
  const start = cursor.at
  while (isSpace(codeAt(cursor))) cursor.at++
  return cursor.at > start
}

function accept(cursor: Cursor, code: number): boolean {
  if (codeAt(cursor) !== code) return false
  cursor.at++
  return true
}

/** The code unit at the cursor; NaN after the end, which equals no code. */
function codeAt(cursor: Cursor): number {
  return cursor.line.charCodeAt(cursor.at)
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d) || code === 0xfeff
}
