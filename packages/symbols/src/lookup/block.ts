/** Decoder of the blocks of a lookup file, which format.ts describes. */
import { outOfRange } from '@fairlead/invariant'
import { upperBound } from '../sorted/search.ts'
import { ColumnReader, damaged, type NumberColumn } from './column-reader.ts'

/** One frame of the source. */
export interface SourceFrame {
  /** A linkage name or a demangled name, as `openLookup` was asked for. */
  readonly function: string | undefined
  readonly file: string | undefined
  /** Line 0 marks code that the compiler generated; undefined if nothing is known. */
  readonly line: number | undefined
  readonly column: number | undefined
  /** Whether this code was inlined into the frame after it. */
  readonly inlined: boolean
  /** Whether the compiler made this function, so that tools of its language hide it. */
  readonly artificial: boolean
}

/** Receives the frames of an answer one after another. Strings are given by their numbers in the block's region. */
export interface FrameSink {
  /** Name and file are 0 if they are not known. */
  take(name: number, file: number, line: number, column: number, inlined: boolean, artificial: boolean): void
}

export interface Block {
  /** The approximate size in memory, in bytes. */
  readonly byteLength: number
  /** Passes the frames at an offset to the sink, innermost first; none if nothing is known. */
  visitFrames(offset: number, sink: FrameSink): void
}

/** Decodes a block and takes ownership of its bytes. Throws `malformed-lookup`, here or in `findFrames`. */
export function decodeBlock(bytes: Buffer, firstOffset: number): Block {
  const reader = new ColumnReader(bytes)
  const scopeCount = reader.word()
  const segmentCount = reader.word()
  const name = reader.column(scopeCount)
  const parent = reader.column(scopeCount)
  const callFile = reader.column(scopeCount)
  const callLine = reader.column(scopeCount)
  const callColumn = reader.column(scopeCount)
  const artificial = reader.column(scopeCount)
  const start = reader.column(segmentCount)
  const scope = reader.column(segmentCount)
  const file = reader.column(segmentCount)
  const line = reader.column(segmentCount)
  const column = reader.column(segmentCount)
  accumulate(start)

  return {
    byteLength: bytes.length,
    visitFrames(offset, sink) {
      const segment = upperBound(start, offset - firstOffset) - 1
      if (segment < 0) return
      let index = (scope[segment] ?? outOfRange()) - 1
      if (index >= scopeCount) throw damaged('A scope is missing.')
      let [place, placeLine, placeColumn] = [
        file[segment] ?? outOfRange(),
        line[segment] ?? outOfRange(),
        column[segment] ?? outOfRange(),
      ]
      if (index < 0) {
        if (place !== 0) sink.take(0, place, placeLine, placeColumn, false, false)
        return
      }
      for (;;) {
        const distance = parent[index] ?? outOfRange()
        sink.take(name[index] ?? outOfRange(), place, placeLine, placeColumn, distance !== 0, artificial[index] === 1)
        if (distance === 0) return
        if (distance > index) throw damaged('A parent is missing.')
        place = callFile[index] ?? outOfRange()
        placeLine = callLine[index] ?? outOfRange()
        placeColumn = callColumn[index] ?? outOfRange()
        index -= distance
      }
    },
  }
}

/** Replaces differences by values. */
function accumulate(values: NumberColumn): void {
  let sum = 0
  for (let index = 0; index < values.length; index++) values[index] = sum += values[index] ?? outOfRange()
}
