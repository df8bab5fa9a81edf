/** A block of a lookup file, decoded: see format.ts. */
import { damaged, narrow, NumberReader } from './number-reader.ts'
import type { StringTable } from './string-table.ts'

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
  /** The frames at an offset, innermost first; none where nothing is known. `strings` are those of the block's region. */
  findFrames(offset: number, strings: StringTable): SourceFrame[]
}

/** Decodes a block's bytes. Throws `malformed-lookup` where a number points outside of it or of `stringCount` strings. */
export function decodeBlock(bytes: Buffer, firstOffset: number, stringCount: number): Block {
  const reader = new NumberReader(bytes)
  const scopeCount = reader.count()
  const segmentCount = reader.count()
  const name = reader.column(scopeCount, stringCount)
  const parent = reader.column(scopeCount, scopeCount)
  const callFile = reader.column(scopeCount, stringCount)
  const callLine = reader.smallColumn(scopeCount)
  const callColumn = reader.smallColumn(scopeCount)
  const start = new Uint32Array(reader.column(segmentCount, 0xffffffff))
  const scope = reader.column(segmentCount, scopeCount)
  const file = reader.column(segmentCount, stringCount)
  const steps = new Uint32Array(reader.column(segmentCount, 0xffffffff))
  const column = reader.smallColumn(segmentCount)
  if (!parent.every((distance: number, index: number) => distance <= index)) throw damaged('A parent is missing.')
  accumulate(start, steps, firstOffset)
  const line = narrow(steps)

  return {
    byteLength: (scopeCount + segmentCount) * 12,
    findFrames(offset, strings) {
      const segment = lastNotAfter(start, offset)
      const inner = segment < 0 ? 0 : (scope[segment] as number)
      if (segment < 0 || (inner === 0 && file[segment] === 0)) return []
      const leafFile = strings.find(file[segment] as number)
      const hasFile = leafFile !== undefined
      let frame: SourceFrame = {
        function: undefined,
        file: leafFile,
        line: hasFile ? line[segment] : undefined,
        column: hasFile ? column[segment] : undefined,
        inlined: false,
      }
      const frames = [frame]
      for (let index = inner - 1; index >= 0;) {
        frame.function = strings.find(name[index] as number)
        const distance = parent[index] as number
        if (distance === 0) break
        frame.inlined = true
        frame = {
          function: undefined,
          file: strings.find(callFile[index] as number),
          line: callLine[index],
          column: callColumn[index],
          inlined: false,
        }
        frames.push(frame)
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
