/**
 * The entries of a unit that are code: functions and inlined calls, in the order of the file, each with the ranges of addresses it covers
 * and the entry it was inlined into.
 */
import { type Abbreviation, skipEntry, skipForm } from './abbreviations.ts'
import { Attribute, Tag } from './constants.ts'
import { Cursor } from './cursor.ts'
import type { DebugSections } from './debug-sections.ts'
import { toReference } from './entry-names.ts'
import { type RangeBudget, readRanges } from './ranges.ts'
import type { Unit } from './unit.ts'
import { readValue, type Value } from './value.ts'

/** Inlined calls inside each other that are kept; deeper ones count as their ancestor at this depth. Compilers reach some tens. */
const maxInlineDepth = 256
const maxEntryDepth = 1 << 20
/** With 32 bits of address this still sorts as one number. */
const maxRanges = 1 << 21

/** A function, or one inlined call of one. */
export interface CodeEntry {
  /** Where the name is to be looked for: its own entry, or what it is an instance of. Offset in .debug_info. */
  nameEntry: number
  /** Index of the entry it was inlined into, or −1 for a function. */
  parent: number
  callFile: number
  callLine: number
  callColumn: number
}

/** Ranges as columns, in the order of the file. Offsets count from the image's __TEXT. */
export interface CodeRanges {
  low: number[]
  high: number[]
  entry: number[]
}

export interface UnitCode {
  entries: CodeEntry[]
  ranges: CodeRanges
}

/** Walks all entries of a unit. Ends early where an entry cannot be read: what came before it stays. */
export function readCode(
  sections: DebugSections,
  unit: Unit,
  bytes: Uint8Array,
  textAddress: number,
  budget: RangeBudget,
): UnitCode {
  const cursor = new Cursor(bytes, unit.firstEntry - unit.offset)
  const code: UnitCode = { entries: [], ranges: { low: [], high: [], entry: [] } }
  const reader = { sections, unit, cursor, textAddress, budget, code }
  /** For each depth, the code entry that entries there are inside of, or −1, and how many inlined calls deep that is. */
  let owners = new Int32Array(256).fill(-1)
  let inlineDepths = new Uint16Array(256)
  let depth = 0
  while (cursor.at < cursor.end) {
    const start = cursor.at
    const number = cursor.uleb()
    if (number === 0) {
      if (--depth <= 0) break
      continue
    }
    const abbreviation = unit.abbreviations[number]
    if (!abbreviation) break
    let owner = owners[depth] as number
    let inlineDepth = inlineDepths[depth] as number
    if (abbreviation.isCode) {
      const isInlined = abbreviation.tag === Tag.inlinedSubroutine
      inlineDepth = isInlined ? inlineDepth + 1 : 0
      if (inlineDepth > maxInlineDepth) {
        skipEntry(cursor, abbreviation, unit)
        inlineDepth--
      } else owner = readCodeEntry(reader, abbreviation, unit.offset + start, isInlined ? owner : -1)
    } else {
      if (abbreviation.tag === Tag.subprogram) owner = -1
      if (abbreviation.fixedLength >= 0) cursor.skip(abbreviation.fixedLength)
      else skipEntry(cursor, abbreviation, unit)
    }
    if (!abbreviation.hasChildren) {
      if (depth === 0) break
      continue
    }
    depth++
    if (depth === owners.length) {
      if (depth > maxEntryDepth) break
      const [wider, widerDepths] = [new Int32Array(depth * 2), new Uint16Array(depth * 2)]
      wider.set(owners)
      widerDepths.set(inlineDepths)
      owners = wider
      inlineDepths = widerDepths
    }
    owners[depth] = owner
    inlineDepths[depth] = inlineDepth
  }
  return code
}

interface Reader {
  sections: DebugSections
  unit: Unit
  cursor: Cursor
  textAddress: number
  budget: RangeBudget
  code: UnitCode
}

const pairs: number[] = []

function readCodeEntry(reader: Reader, abbreviation: Abbreviation, offset: number, parent: number): number {
  const { cursor, unit, code } = reader
  const entry: CodeEntry = { nameEntry: offset, parent, callFile: 0, callLine: 0, callColumn: 0 }
  let lowPc: Value | undefined
  let highPc: Value | undefined
  let ranges: Value | undefined
  const { attributes, forms, implicit } = abbreviation
  for (let index = 0; index < attributes.length; index++) {
    const form = forms[index] as number
    switch (attributes[index]) {
      case Attribute.lowPc:
        lowPc = readValue(cursor, form, unit)
        break
      case Attribute.highPc:
        highPc = readValue(cursor, form, unit, implicit[index])
        break
      case Attribute.ranges:
        ranges = readValue(cursor, form, unit)
        break
      case Attribute.abstractOrigin:
        // An inlined call has no name of its own, so the origin is asked directly: many calls share it.
        if (abbreviation.tag === Tag.inlinedSubroutine)
          entry.nameEntry = toReference(readValue(cursor, form, unit), unit)
        else skipForm(cursor, form, unit)
        break
      case Attribute.callFile:
        entry.callFile = readValue(cursor, form, unit, implicit[index]).number
        break
      case Attribute.callLine:
        entry.callLine = readValue(cursor, form, unit, implicit[index]).number
        break
      case Attribute.callColumn:
        entry.callColumn = readValue(cursor, form, unit, implicit[index]).number
        break
      default:
        skipForm(cursor, form, unit)
    }
  }
  if (cursor.failed) return -1
  const index = code.entries.push(entry) - 1
  pairs.length = 0
  readRanges(reader.sections, unit, { lowPc, highPc, ranges }, reader.budget, pairs)
  for (let at = 0; at < pairs.length; at += 2) pushRange(reader, pairs[at] as number, pairs[at + 1] as number, index)
  return index
}

function pushRange({ code, textAddress }: Reader, lowAddress: number, highAddress: number, entry: number): void {
  const low = lowAddress - textAddress
  const high = highAddress - textAddress
  if (!(low >= 0 && low < high && high <= 0xffffffff) || code.ranges.low.length >= maxRanges) return
  code.ranges.low.push(low)
  code.ranges.high.push(high)
  code.ranges.entry.push(entry)
}
