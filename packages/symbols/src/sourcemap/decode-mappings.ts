import { outOfRange } from '@fairlead/invariant'
import { SymbolsError } from '../symbols-error.ts'
import type { ByteWindow } from './byte-window.ts'
import { maxSegments, maxUnsorted } from './limits.ts'
import type { MapPart } from './map-outline.ts'
import type { PageWriter, Segment } from './page-writer.ts'
import type { StringRange } from './string-pool.ts'
import { readVlq } from './vlq.ts'

/** What a part's numbers are relative to. */
export interface PartTables {
  /** The number of the part's first source, and how many it has. */
  firstSource: number
  sources: number
  /** The strings of the part's names. */
  names: StringRange
  /** Segments that may still come; it is counted down. */
  budget: { segments: number }
}

const most = 0xffffffff
const faults = { 'no-digit': 'a byte that is no digit', 'too-long': 'a number of more than 32 bits' }

/**
 * Reads the mappings of a part and writes its segments in the order of their generated position. A segment that points
 * beyond the sources says that nothing is here. What follows damage is left out, and `problems` says so.
 */
export function decodeMappings(
  window: ByteWindow,
  part: MapPart,
  { firstSource, sources, names, budget }: PartTables,
  pages: PageWriter,
  problems: string[],
): void {
  const { end } = part
  let generatedLine = part.line
  let column = 0
  let [source, line, originalColumn, name] = [0, 0, 0, 0]
  let [segments, lastColumn, isSorted]: [Segment[], number, boolean] = [[], -1, true]
  let [writtenTo, dropped] = [-1, 0]
  // Nothing is known at the start of a line; a part that begins in one may follow another part's segments.
  let isNothing = part.column === 0

  const flush = () => {
    if (!isSorted) segments.sort((a, b) => a[1] - b[1])
    for (const segment of segments) {
      if (segment[1] < writtenTo) dropped++
      else pages.push(segment)
    }
    writtenTo = segments.at(-1)?.[1] ?? writtenTo
    segments = []
    isSorted = true
  }
  const fault = readVlq(window, part.mappings.start + 1, part.mappings.end - 1, {
    group: (fields, count) => {
      if (budget.segments-- <= 0) throw new SymbolsError('too-large', `It has over ${maxSegments} segments.`)
      column += fields[0] ?? outOfRange()
      let isPlaced = false
      if (count >= 4) {
        source += fields[1] ?? outOfRange()
        line += fields[2] ?? outOfRange()
        originalColumn += fields[3] ?? outOfRange()
        isPlaced = source >= 0 && source < sources && isPlace(line) && isPlace(originalColumn)
      }
      if (count >= 5) name += fields[4] ?? outOfRange()
      const at = generatedLine === part.line ? column + part.column : column
      if (column < 0 || at > most) return true
      if (generatedLine === end.line && at >= end.column) return true
      // Of a row of segments that say nothing, one is enough.
      const isRepeated = !isPlaced && isSorted && at > lastColumn && isNothing
      isNothing = !isPlaced
      if (isRepeated) return true
      const hasName = isPlaced && count >= 5 && name >= 0 && name < names.count
      const nameNumber = hasName ? names.first + name + 1 : 0
      const segment: Segment = isPlaced
        ? [generatedLine, at, firstSource + source + 1, line, originalColumn, nameNumber]
        : [generatedLine, at, 0, 0, 0, 0]
      isSorted &&= at >= lastColumn
      lastColumn = at
      segments.push(segment)
      if (segments.length >= maxUnsorted) flush()
      return true
    },
    line: () => {
      if (segments.length > 0) flush()
      writtenTo = -1
      lastColumn = -1
      isNothing = true
      column = 0
      generatedLine++
      return generatedLine <= end.line && generatedLine <= most
    },
  })
  flush()
  if (fault) problems.push(`Its mappings hold ${faults[fault]}; what comes after it is left out.`)
  if (dropped > 0) problems.push(`${dropped} segments of a line stand in no order and are left out.`)
}

function isPlace(value: number): boolean {
  return value >= 0 && value <= most
}
