/**
 * One member line of a mapping, as R8 reads it:
 *
 *     [from:to:]type name[(parameters)][:from[:to]] -> renamed
 *
 * The range in front is of lines in the obfuscated program, the one behind of lines in the source. Of a frame that
 * was inlined, the callers follow on lines of their own with the same range in front.
 */
import { isNameCode } from './name-code.ts'

/** Line numbers, both ends included. A cardinal range was written as one number: the place of a call. */
export interface LineRange {
  readonly from: number
  readonly to: number
  readonly cardinal: boolean
}

export interface Signature {
  /** `void com.example.Foo.bar(int,long)`: what makes two signatures equal. */
  readonly key: string
  readonly type: string
  /** Qualified by its class where that is another one than the class the line stands under. */
  readonly name: string
  /** Types joined by commas. Missing for a field. */
  readonly parameters: string | undefined
}

export interface MemberLine {
  readonly minified: LineRange | undefined
  readonly signature: Signature
  readonly original: LineRange | undefined
  readonly renamed: string
}

/** Longer lines are not looked at. R8's are below a thousand bytes. */
export const maxLineLength = 64 * 1024

interface Cursor {
  readonly line: string
  at: number
}

const colon = 0x3a
const dot = 0x2e

/** Parses a member line; `undefined` for a line of another form. */
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
  const renamed = parseName(cursor, true)
  return renamed === undefined || cursor.at !== line.length ? undefined : { minified, signature, original, renamed }
}

/** The signature of that type, name and those parameters. */
export function createSignature(type: string, name: string, parameters: string | undefined): Signature {
  return { key: toSignatureKey(type, name, parameters), type, name, parameters }
}

/** The key of the signature of that type, name and those parameters. */
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
  // Mostly the line has the key as it is, and nothing is to be put together.
  const length = type.length + name.length + parameters.length + 3
  const isPlain = cursor.at - start === length && nameStart + name.length === nameEnd
  return isPlain
    ? { key: cursor.line.slice(start, cursor.at), type, name, parameters }
    : createSignature(type, name, parameters)
}

/** The types up to the closing bracket, joined by commas. */
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

/** Identifiers joined by dots; one in angle brackets, `<init>`, where `allowInit`. */
function skipName(cursor: Cursor, allowInit: boolean): boolean {
  do if (!skipIdentifier(cursor, allowInit)) return false
  while (accept(cursor, dot))
  return true
}

function skipIdentifier(cursor: Cursor, allowInit: boolean): boolean {
  const inBrackets = allowInit && accept(cursor, 0x3c)
  const first = cursor.line.charCodeAt(cursor.at)
  // Some tools write names that begin with a dot.
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

/** A range in front of a signature is digits and a colon; digits alone may begin a name. */
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
  // Old versions of R8 wrote a wrong 0 for the end, or the ends in the wrong order.
  if (from <= to) return { from, to, cardinal: false }
  return to === 0 ? { from, to: from, cardinal: false } : { from: to, to: from, cardinal: false }
}

/** A number as Java's int takes it: what is too large wraps around. */
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

/** NaN past the end, which equals nothing. */
function codeAt(cursor: Cursor): number {
  return cursor.line.charCodeAt(cursor.at)
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d) || code === 0xfeff
}
