/**
 * A fast reader for frames in their usual form: ASCII, with a line number.
 *
 *     \tat package.Class.method(file:12)
 *
 * All other lines go to trace-line.ts.
 */
import { outOfRange } from '@fairlead/invariant'
import { isDigit, readDigits } from '../bytes/digits.ts'
import { emptyHash, hashByte } from '../bytes/hash-name.ts'
import { Span } from '../bytes/span.ts'
import { endsName } from '../trace/name-end.ts'
import { maxTraceLineLength } from '../trace/trace-line.ts'

const carriageReturn = 0x0d
const space = 0x20
const colon = 0x3a
const dot = 0x2e

/** The parts of a frame. One object is reused for many lines. */
export class FastFrameLine {
  /** The text before the class name. */
  readonly before = new Span()
  readonly className = new Span()
  readonly method = new Span()
  readonly file = new Span()
  line = 0
  /** Hashes of the class name and of the method name. */
  classHash = 0
  methodHash = 0

  /** Reads the line from `start` to `end`; returns `false` if it has another form. */
  read(bytes: Buffer, start: number, end: number): boolean {
    const classStart = skipAt(bytes, start)
    if (classStart === -1 || bytes[end - 1] !== 0x29 || end - start > maxTraceLineLength) return false
    const nameEnd = this.#readNames(bytes, classStart)
    if (bytes[nameEnd] !== 0x28 || !this.#readPlace(bytes, nameEnd + 1, end - 1)) return false
    this.before.set(bytes, start, classStart)
    return true
  }

  /** Reads both names and returns the offset after them; -1 if they are not there. */
  #readNames(bytes: Buffer, start: number): number {
    // One pass computes the hash of everything so far, of what precedes the last dot and of what follows it.
    let hash = emptyHash
    let classHash = emptyHash
    let methodHash = emptyHash
    let lastDot = start
    let at = start
    for (; ; at++) {
      // The line ends with a bracket, which ends a name, so the loop never leaves the line.
      const byte = bytes[at] ?? outOfRange()
      if (byte >= 0x80 || endsName(byte)) break
      methodHash = hashByte(methodHash, byte)
      if (byte === dot) {
        classHash = hash
        methodHash = emptyHash
        lastDot = at
      }
      hash = hashByte(hash, byte)
    }
    if (lastDot === start || lastDot + 1 === at || isDigit(bytes[start]) || isDigit(bytes[lastDot + 1])) return -1
    this.className.set(bytes, start, lastDot)
    this.method.set(bytes, lastDot + 1, at)
    this.classHash = classHash >>> 0
    this.methodHash = methodHash >>> 0
    return at
  }

  /** Reads the file and the line number, which must not be 0. */
  #readPlace(bytes: Buffer, start: number, end: number): boolean {
    let digits = end
    while (isDigit(bytes[digits - 1])) digits--
    const fileEnd = digits - 1
    if (digits === end || end - digits > 9 || fileEnd < start || bytes[fileEnd] !== colon) return false
    for (let at = start; at < fileEnd; at++) if (bytes[at] === carriageReturn) return false
    this.file.set(bytes, start, fileEnd)
    this.line = readDigits(bytes, digits, end)
    return this.line > 0
  }
}

/** Returns the offset after white space, `at` and a space; -1 if they are not there. */
function skipAt(bytes: Buffer, start: number): number {
  let at = start
  for (; ; at++) {
    const byte = bytes[at]
    if (byte === undefined || (byte !== space && (byte < 0x09 || byte > 0x0c))) break
  }
  return bytes[at] === 0x61 && bytes[at + 1] === 0x74 && bytes[at + 2] === space ? at + 3 : -1
}
