/** A block of a lookup file, decoded: see format.ts. */
import { ColumnReader, damaged, type NumberColumn } from './column-reader.ts'
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

/** Decodes a block's bytes, which become its own. Throws `malformed-lookup`, here or from `findFrames`, where they cannot be right. */
export function decodeBlock(bytes: Buffer, firstOffset: number): Block {
  const reader = new ColumnReader(bytes)
  const scopeCount = reader.word()
  const segmentCount = reader.word()
  const name = reader.column(scopeCount)
  const parent = reader.column(scopeCount)
  const callFile = reader.column(scopeCount)
  const callLine = reader.column(scopeCount)
  const callColumn = reader.column(scopeCount)
  const start = reader.column(segmentCount)
  const scope = reader.column(segmentCount)
  const file = reader.column(segmentCount)
  const line = reader.column(segmentCount)
  const column = reader.column(segmentCount)
  accumulate(start)

  return {
    byteLength: bytes.length,
    findFrames(offset, strings) {
      const segment = lastNotAfter(start, offset - firstOffset)
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
      if (inner > scopeCount) throw damaged('A scope is missing.')
      for (let index = inner - 1; index >= 0;) {
        frame.function = strings.find(name[index] as number)
        const distance = parent[index] as number
        if (distance === 0) break
        if (distance > index) throw damaged('A parent is missing.')
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

/** Differences become values. */
function accumulate(values: NumberColumn): void {
  let sum = 0
  for (let index = 0; index < values.length; index++) values[index] = sum += values[index] as number
}

/** The index of the last value that is not above `offset`, or −1. */
export function lastNotAfter(sorted: NumberColumn, offset: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] as number) <= offset) low = middle + 1
    else high = middle
  }
  return low - 1
}
