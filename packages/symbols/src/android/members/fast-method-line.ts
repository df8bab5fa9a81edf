/**
 * A fast reader for method lines in the form that R8 nearly always writes: ASCII, with no unnecessary spaces.
 *
 *     from:to:type name(parameters)[:from[:to]] -> obfuscated
 *
 * It starts after `from:to:`. All other lines go to member-line.ts, which takes several times as long.
 */
import { readDigits, skipDigits } from '../bytes/digits.ts'
import type { TextRange } from '../bytes/text-range.ts'
import type { LineRange, Signature } from '../mapping/member-line.ts'
import { isNameByte } from '../mapping/name-code.ts'

const dot = 0x2e
const colon = 0x3a
const space = 0x20

/** Offsets in the bytes of a method line after its first range. One object is reused for many lines. */
export class FastMethodLine {
  start = 0
  typeEnd = 0
  nameEnd = 0
  /** The offset after the closing bracket of the parameters. */
  end = 0
  hasOriginal = false
  from = 0
  to = 0
  isCardinal = false

  /**
   * Reads the line from `start`, the offset after its first range. Returns `false` if the line has another form or
   * another name.
   */
  read(bytes: Uint8Array, start: number, obfuscated: TextRange): boolean {
    this.start = start
    this.typeEnd = skipType(bytes, start)
    if (this.typeEnd === -1 || bytes[this.typeEnd] !== space) return false
    this.nameEnd = skipMethodName(bytes, this.typeEnd + 1)
    if (this.nameEnd === -1 || bytes[this.nameEnd] !== 0x28) return false
    this.end = skipParameters(bytes, this.nameEnd + 1)
    if (this.end === -1) return false
    const end = this.#readOriginal(bytes)
    return end !== -1 && endsWithName(bytes, end, obfuscated)
  }

  get original(): LineRange | undefined {
    return this.hasOriginal ? { from: this.from, to: this.to, cardinal: this.isCardinal } : undefined
  }

  toSignature(bytes: Buffer): Signature {
    const { start } = this
    return new LazySignature(bytes.toString('latin1', start, this.end), this.typeEnd - start, this.nameEnd - start)
  }

  /** Reads the optional range at the end and returns the offset after it; -1 if it is malformed. */
  #readOriginal(bytes: Uint8Array): number {
    this.hasOriginal = bytes[this.end] === colon
    if (!this.hasOriginal) return this.end
    const fromEnd = skipDigits(bytes, this.end + 1)
    if (fromEnd === -1) return -1
    this.from = readDigits(bytes, this.end + 1, fromEnd)
    this.to = this.from
    this.isCardinal = bytes[fromEnd] !== colon
    if (this.isCardinal) return fromEnd
    const toEnd = skipDigits(bytes, fromEnd + 1)
    if (toEnd === -1) return -1
    this.to = readDigits(bytes, fromEnd + 1, toEnd)
    return this.to < this.from ? -1 : toEnd
  }
}

/** Slices its key only when a part is requested. */
class LazySignature implements Signature {
  readonly key: string
  readonly #typeEnd: number
  readonly #nameEnd: number

  constructor(key: string, typeEnd: number, nameEnd: number) {
    this.key = key
    this.#typeEnd = typeEnd
    this.#nameEnd = nameEnd
  }

  get type(): string {
    return this.key.slice(0, this.#typeEnd)
  }

  get name(): string {
    return this.key.slice(this.#typeEnd + 1, this.#nameEnd)
  }

  get parameters(): string {
    return this.key.slice(this.#nameEnd + 1, -1)
  }
}

/** The skip functions return the offset after what they skip; -1 if it is not there. */
function skipType(bytes: Uint8Array, start: number): number {
  let at = skipName(bytes, start)
  while (at !== -1 && bytes[at] === 0x5b) at = bytes[at + 1] === 0x5d ? at + 2 : -1
  return at
}

function skipName(bytes: Uint8Array, start: number): number {
  let at = start
  for (;;) {
    const first = at
    while (isNameByte(bytes[at])) at++
    if (at === first) return -1
    if (bytes[at] !== dot) return at
    at++
  }
}

/** The last part may be `<init>` or `<clinit>`. */
function skipMethodName(bytes: Uint8Array, start: number): number {
  let at = start
  for (;;) {
    const isInitializer = bytes[at] === 0x3c
    const first = isInitializer ? at + 1 : at
    at = first
    while (isNameByte(bytes[at])) at++
    if (at === first) return -1
    if (isInitializer) return bytes[at] === 0x3e ? at + 1 : -1
    if (bytes[at] !== dot) return at
    at++
  }
}

/** Skips to the offset after the closing bracket. */
function skipParameters(bytes: Uint8Array, start: number): number {
  if (bytes[start] === 0x29) return start + 1
  let at = start
  for (;;) {
    at = skipType(bytes, at)
    if (at === -1) return -1
    if (bytes[at] === 0x29) return at + 1
    if (bytes[at] !== 0x2c) return -1
    at++
  }
}

/** Whether the line ends with ` -> ` and the obfuscated name. */
function endsWithName(bytes: Uint8Array, start: number, obfuscated: TextRange): boolean {
  if (bytes[start] !== space || bytes[start + 1] !== 0x2d || bytes[start + 2] !== 0x3e) return false
  if (bytes[start + 3] !== space) return false
  let at = start + 4
  for (let from = obfuscated.start; from < obfuscated.end; from++)
    if (bytes[at++] !== obfuscated.bytes[from]) return false
  const next = bytes[at]
  return next === 0x0a || next === undefined
}
