/** A block of a lookup file, decoded: see format.ts. */
import { ColumnReader, damaged, type NumberColumn } from './column-reader.ts'

/** One frame of the source. */
export interface SourceFrame {
  /** As the lookup file was opened: a linkage name, or demangled. */
  readonly function: string | undefined
  readonly file: string | undefined
  /** 0 is code that the compiler made; undefined where nothing is known. */
  readonly line: number | undefined
  readonly column: number | undefined
  /** Whether this code was inlined into the frame after it. */
  readonly inlined: boolean
}

/** Takes the frames of an answer one after the other: strings by their numbers in the block's region. */
export interface FrameSink {
  /** Name and file are 0 where nothing is known. */
  take(name: number, file: number, line: number, column: number, inlined: boolean): void
}

export interface Block {
  /** Its size in memory, roughly. */
  readonly byteLength: number
  /** Gives the frames at an offset, innermost first; none where nothing is known. */
  visitFrames(offset: number, sink: FrameSink): void
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
    visitFrames(offset, sink) {
      const segment = lastNotAfter(start, offset - firstOffset)
      if (segment < 0) return
      let index = (scope[segment] as number) - 1
      if (index >= scopeCount) throw damaged('A scope is missing.')
      let [place, placeLine, placeColumn] = [
        file[segment] as number,
        line[segment] as number,
        column[segment] as number,
      ]
      if (index < 0) {
        if (place !== 0) sink.take(0, place, placeLine, placeColumn, false)
        return
      }
      for (;;) {
        const distance = parent[index] as number
        sink.take(name[index] as number, place, placeLine, placeColumn, distance !== 0)
        if (distance === 0) return
        if (distance > index) throw damaged('A parent is missing.')
        place = callFile[index] as number
        placeLine = callLine[index] as number
        placeColumn = callColumn[index] as number
        index -= distance
      }
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
