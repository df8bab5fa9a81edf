/**
 * Reader of an entry's address ranges, as pairs of addresses in the order of the file.
 *
 * .debug_ranges (versions 2 to 4): pairs of addresses relative to a base, which is first the unit's low pc; a pair
 * whose first number is all ones sets the base; 0 0 ends the list. .debug_rnglists (version 5): entries of a kind byte
 * and its operands.
 */
import { Cursor } from './cursor.ts'
import type { DebugSections } from './debug-sections.ts'
import { readIndexedAddress, toAddress, type Unit } from './unit.ts'
import type { Value } from './value.ts'

/** Ranges that one entry may have; further ones are not read. */
const maxRanges = 65_536

export interface RangeBudget {
  /** The number of ranges that may still be read, over all entries of a file. */
  left: number
}

interface PcAttributes {
  lowPc: Value | undefined
  highPc: Value | undefined
  ranges: Value | undefined
}

/** Appends `low, high, low, high, …` to `out`. */
export function readRanges(
  sections: DebugSections,
  unit: Unit,
  entry: PcAttributes,
  budget: RangeBudget,
  out: number[],
): void {
  const low = entry.lowPc && toAddress(sections, unit, entry.lowPc)
  if (low !== undefined && entry.highPc && entry.highPc.kind !== 'other') {
    const high = entry.highPc.kind === 'constant' ? low + entry.highPc.number : toAddress(sections, unit, entry.highPc)
    if (high !== undefined) out.push(low, high)
    return
  }
  if (entry.ranges) readRangeList(sections, unit, entry.ranges, budget, out)
}

/** Appends the ranges of the list that a `ranges` attribute points to. */
export function readRangeList(
  sections: DebugSections,
  unit: Unit,
  value: Value,
  budget: RangeBudget,
  out: number[],
): void {
  const list = toListOffset(sections, unit, value)
  if (list === undefined) return
  if (unit.version >= 5) readNewRanges(sections, unit, list, budget, out)
  else readOldRanges(sections, unit, list, budget, out)
}

function toListOffset(sections: DebugSections, unit: Unit, value: Value): number | undefined {
  if (value.kind !== 'rangeListIndex') return value.number
  const cursor = new Cursor(sections.rangeLists, unit.rangeListsBase + value.number * 4)
  const offset = cursor.u32()
  return cursor.failed ? undefined : unit.rangeListsBase + offset
}

function readOldRanges(sections: DebugSections, unit: Unit, offset: number, budget: RangeBudget, out: number[]): void {
  const cursor = new Cursor(sections.ranges, offset)
  const wide = unit.addressSize === 8
  const highest = wide ? 0xffffffff * 0x1_0000_0000 + 0xffffffff : 0xffffffff
  let base = unit.lowPc
  for (let count = 0; count < maxRanges && budget.left > 0; count++) {
    const low = wide ? cursor.u64() : cursor.u32()
    const high = wide ? cursor.u64() : cursor.u32()
    if (cursor.failed || (low === 0 && high === 0)) return
    if (low === highest) {
      base = high
      continue
    }
    budget.left--
    out.push(base + low, base + high)
  }
}

function readNewRanges(sections: DebugSections, unit: Unit, offset: number, budget: RangeBudget, out: number[]): void {
  const cursor = new Cursor(sections.rangeLists, offset)
  const address = () => (unit.addressSize === 8 ? cursor.u64() : cursor.u32())
  const indexed = () => readIndexedAddress(sections, unit, cursor.uleb()) ?? Number.NaN
  let base = unit.lowPc
  for (let count = 0; count < maxRanges && budget.left > 0; count++) {
    budget.left--
    const kind = cursor.u8()
    let low: number
    let high: number
    switch (kind) {
      case 1:
        base = indexed()
        continue
      case 2:
        low = indexed()
        high = indexed()
        break
      case 3:
        low = indexed()
        high = low + cursor.uleb()
        break
      case 4:
        low = base + cursor.uleb()
        high = base + cursor.uleb()
        break
      case 5:
        base = address()
        continue
      case 6:
        low = address()
        high = address()
        break
      case 7:
        low = address()
        high = low + cursor.uleb()
        break
      default:
        return
    }
    if (cursor.failed) return
    out.push(low, high)
  }
}
