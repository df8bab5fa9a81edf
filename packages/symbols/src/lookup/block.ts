/** A block of a lookup file, decoded: see format.ts. */
import { SymbolsError } from '../symbols-error.ts'

/** One frame of the source. `function` is a linkage name. */
export interface SourceFrame {
  function: string | undefined
  file: string | undefined
  /** 0 is code that the compiler made; undefined where nothing is known. */
  line: number | undefined
  column: number | undefined
  /** Whether this code was inlined into the frame after it. */
  inlined: boolean
}

export interface Block {
  /** Its size in memory, roughly. */
  readonly byteLength: number
  /** The frames at an offset, innermost first; none where nothing is known. */
  findFrames(offset: number): SourceFrame[]
}

/** Decodes a block's bytes. Throws `malformed-lookup` where a number points outside of it. */
export function decodeBlock(bytes: Buffer, firstOffset: number): Block {
  const reader = new NumberReader(bytes)
  const stringCount = reader.count()
  const scopeCount = reader.count()
  const segmentCount = reader.count()
  const stringEnds = reader.column(stringCount)
  let end = 0
  for (let index = 0; index < stringCount; index++) stringEnds[index] = end += stringEnds[index] as number
  const text = bytes.subarray(reader.at, reader.at + end)
  reader.skip(end)
  const [name, parent, callFile, callLine, callColumn] = reader.columns(scopeCount)
  const [start, scope, file, line, column] = reader.columns(segmentCount)
  if (!check(name, stringCount) || !check(callFile, stringCount) || !check(file, stringCount))
    throw damaged('A string is missing.')
  if (!check(scope, scopeCount)) throw damaged('A scope is missing.')
  if (parent.some((distance, index) => distance > index)) throw damaged('A parent is missing.')
  accumulate(start, line, firstOffset)

  const strings = new Map<number, string>()
  const toString = (index: number): string | undefined => {
    if (index === 0) return undefined
    const known = strings.get(index)
    if (known !== undefined) return known
    const decoded = text.toString('utf8', index === 1 ? 0 : stringEnds[index - 2], stringEnds[index - 1])
    strings.set(index, decoded)
    return decoded
  }

  return {
    byteLength: bytes.length + stringCount * 4 + (scopeCount + segmentCount) * 20,
    findFrames(offset) {
      const segment = lastNotAfter(start, offset)
      const inner = segment < 0 ? 0 : (scope[segment] as number)
      if (segment < 0 || (inner === 0 && file[segment] === 0)) return []
      const leafFile = toString(file[segment] as number)
      const frames: SourceFrame[] = [
        {
          function: undefined,
          file: leafFile,
          line: leafFile === undefined ? undefined : line[segment],
          column: leafFile === undefined ? undefined : column[segment],
          inlined: false,
        },
      ]
      for (let index = inner - 1; index >= 0;) {
        const frame = frames.at(-1) as SourceFrame
        frame.function = toString(name[index] as number)
        const distance = parent[index] as number
        if (distance === 0) break
        frame.inlined = true
        frames.push({
          function: undefined,
          file: toString(callFile[index] as number),
          line: callLine[index],
          column: callColumn[index],
          inlined: false,
        })
        index -= distance
      }
      return frames
    },
  }
}

/** Differences become values; lines were in zigzag. */
function accumulate(start: Uint32Array, line: Uint32Array, firstOffset: number): void {
  let offset = firstOffset
  let number = 0
  for (let index = 0; index < start.length; index++) {
    start[index] = offset += start[index] as number
    const step = line[index] as number
    line[index] = number += (step & 1) === 0 ? step / 2 : -(step + 1) / 2
  }
}

function check(column: Uint32Array, most: number): boolean {
  for (let index = 0; index < column.length; index++) if ((column[index] as number) > most) return false
  return true
}

/** The index of the last value that is not above `offset`, or −1. */
export function lastNotAfter(sorted: Uint32Array, offset: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] as number) <= offset) low = middle + 1
    else high = middle
  }
  return low - 1
}

class NumberReader {
  readonly #bytes: Buffer
  at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  /** A number of things that take at least a byte each, so that no more is allocated than was there. */
  count(): number {
    const count = this.column(1)[0] as number
    if (count > this.#bytes.length) throw damaged('A column is cut off.')
    return count
  }

  skip(length: number): void {
    this.at += length
    if (this.at > this.#bytes.length) throw damaged('Its strings are cut off.')
  }

  columns(count: number): [Uint32Array, Uint32Array, Uint32Array, Uint32Array, Uint32Array] {
    return [this.column(count), this.column(count), this.column(count), this.column(count), this.column(count)]
  }

  column(count: number): Uint32Array {
    const values = new Uint32Array(count)
    const bytes = this.#bytes
    let at = this.at
    for (let index = 0; index < count; index++) {
      let byte = bytes[at++] as number
      let value = byte & 0x7f
      for (let shift = 7; byte >= 0x80 && shift < 35; shift += 7) {
        byte = bytes[at++] as number
        value |= (byte & 0x7f) << shift
      }
      values[index] = value
    }
    if (at > bytes.length) throw damaged('A column is cut off.')
    this.at = at
    return values
  }
}

export function damaged(detail: string): SymbolsError {
  return new SymbolsError('malformed-lookup', detail)
}
