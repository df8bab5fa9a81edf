/**
 * The line of a method as R8 writes nearly all of them, read from its bytes: ASCII, spaces only where they must be,
 *
 *     from:to:type name(parameters)[:from[:to]] -> renamed
 *
 * with `from:to:` read already. All else is left to mapping-line.ts, which takes several times as long.
 */
import type { LineRange, Signature } from './mapping-line.ts'
import { nameBytes } from './name-code.ts'

/** What stands behind the first range of the line. */
export interface PlainMethod {
  readonly signature: Signature
  readonly original: LineRange | undefined
}

const dot = 0x2e
const colon = 0x3a
const space = 0x20

/** Reads the line from `start`, which is behind its range; `undefined` for one of another form or another name. */
export function parsePlainMethod(bytes: Buffer, start: number, renamed: string): PlainMethod | undefined {
  const typeEnd = skipType(bytes, start)
  if (typeEnd === -1 || bytes[typeEnd] !== space) return undefined
  const nameEnd = skipMethodName(bytes, typeEnd + 1)
  if (nameEnd === -1 || bytes[nameEnd] !== 0x28) return undefined
  const end = skipParameters(bytes, nameEnd + 1)
  if (end === -1) return undefined
  let at = end
  let original: LineRange | undefined
  if (bytes[at] === colon) {
    const fromEnd = skipDigits(bytes, at + 1)
    if (fromEnd === -1) return undefined
    const from = readDigits(bytes, at + 1, fromEnd)
    at = fromEnd
    let to = from
    const cardinal = bytes[at] !== colon
    if (!cardinal) {
      const toEnd = skipDigits(bytes, at + 1)
      if (toEnd === -1) return undefined
      to = readDigits(bytes, at + 1, toEnd)
      at = toEnd
    }
    if (to < from) return undefined
    original = { from, to, cardinal }
  }
  if (!endsWithName(bytes, at, renamed)) return undefined
  return {
    signature: new PlainSignature(bytes.toString('latin1', start, end), typeEnd - start, nameEnd - start),
    original,
  }
}

/** Cuts its text only where it is asked for a part. */
class PlainSignature implements Signature {
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

/** These give the end of what they skip, or -1 where it is not there. */
function skipType(bytes: Buffer, start: number): number {
  let at = skipName(bytes, start)
  while (at !== -1 && bytes[at] === 0x5b) at = bytes[at + 1] === 0x5d ? at + 2 : -1
  return at
}

function skipName(bytes: Buffer, start: number): number {
  let at = start
  for (;;) {
    const first = at
    while (nameBytes[bytes[at] ?? 0] === 1) at++
    if (at === first) return -1
    if (bytes[at] !== dot) return at
    at++
  }
}

/** The last part may be `<init>` or `<clinit>`. */
function skipMethodName(bytes: Buffer, start: number): number {
  let at = start
  for (;;) {
    const isInitializer = bytes[at] === 0x3c
    const first = isInitializer ? at + 1 : at
    at = first
    while (nameBytes[bytes[at] ?? 0] === 1) at++
    if (at === first) return -1
    if (isInitializer) return bytes[at] === 0x3e ? at + 1 : -1
    if (bytes[at] !== dot) return at
    at++
  }
}

/** Up to behind the closing bracket. */
function skipParameters(bytes: Buffer, start: number): number {
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

/** One to nine digits. */
export function skipDigits(bytes: Buffer, start: number): number {
  let at = start
  while (isDigit(bytes[at])) at++
  return at > start && at - start < 10 ? at : -1
}

export function readDigits(bytes: Buffer, start: number, end: number): number {
  let value = 0
  for (let at = start; at < end; at++) value = value * 10 + (bytes[at] ?? 0) - 0x30
  return value
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39
}

/** Whether ` -> renamed` and the end of the line are what follows. */
function endsWithName(bytes: Buffer, start: number, renamed: string): boolean {
  if (bytes[start] !== space || bytes[start + 1] !== 0x2d || bytes[start + 2] !== 0x3e) return false
  if (bytes[start + 3] !== space) return false
  const name = start + 4
  for (let at = 0; at < renamed.length; at++) if (bytes[name + at] !== renamed.charCodeAt(at)) return false
  // A name of other letters is read with its whole line.
  const next = bytes[name + renamed.length]
  return next === 0x0a || next === undefined
}
