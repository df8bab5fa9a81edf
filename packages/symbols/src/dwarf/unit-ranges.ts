/**
 * Decides which unit an address belongs to: by .debug_aranges, and for a unit that is not listed there by its first
 * entry.
 *
 * .debug_aranges is a list of sets: 0 length (4) · 4 version (2, always 2) · 6 unit's offset (4) · 10 address size · 11
 * segment size; then, from the next multiple of two addresses, pairs of address and length until 0 0.
 *
 * If units overlap, the unit of the range before continues as long as it can, else the one first in the file is taken.
 * That is the rule of LLVM's symbolizer.
 */
import { outOfRange } from '@fairlead/invariant'
import { type CodePlace, isCodeOffset } from './code-place.ts'
import { Cursor } from './cursor.ts'
import type { DebugSections } from './debug-sections.ts'
import { type RangeBudget, readRanges } from './ranges.ts'
import type { Unit } from './unit.ts'

/** A range of addresses and the unit that it belongs to. */
export interface UnitRange {
  low: number
  high: number
  unit: Unit
}

/** Ranges that do not overlap, ordered by address. */
export function listUnitRanges(
  sections: DebugSections,
  units: readonly Unit[],
  place: CodePlace,
  budget: RangeBudget,
): UnitRange[] {
  const byOffset = new Map(units.map((unit) => [unit.offset, unit]))
  const claims: UnitRange[] = []
  const named = readAddressRanges(sections.addressRanges, byOffset, claims)
  for (const unit of units) {
    if (named.has(unit)) continue
    const pairs: number[] = []
    const lowPc = unit.highPc ? { kind: 'address' as const, number: unit.lowPc } : undefined
    readRanges(sections, unit, { lowPc, highPc: unit.highPc, ranges: unit.ranges }, budget, pairs)
    for (let index = 0; index < pairs.length; index += 2) {
      claims.push({ low: pairs[index] ?? outOfRange(), high: pairs[index + 1] ?? outOfRange(), unit })
    }
  }
  return separate(claims.filter(({ low, high }) => low < high && isCodeOffset(place, low - place.textAddress)))
}

function readAddressRanges(bytes: Uint8Array, byOffset: Map<number, Unit>, claims: UnitRange[]): Set<Unit> {
  const named = new Set<Unit>()
  for (let at = 0; at + 12 <= bytes.length;) {
    const head = new Cursor(bytes, at)
    const end = at + 4 + head.u32()
    const version = head.u16()
    const unit = byOffset.get(head.u32())
    const addressSize = head.u8()
    if (end > bytes.length || version !== 2 || (addressSize !== 4 && addressSize !== 8)) break
    const cursor = new Cursor(bytes, at + Math.ceil(12 / (2 * addressSize)) * 2 * addressSize, end)
    if (unit) {
      named.add(unit)
      readClaims(cursor, addressSize, unit, claims)
    }
    at = end
  }
  return named
}

function readClaims(cursor: Cursor, addressSize: number, unit: Unit, claims: UnitRange[]): void {
  while (cursor.at + 2 * addressSize <= cursor.end) {
    const low = addressSize === 8 ? cursor.u64() : cursor.u32()
    const length = addressSize === 8 ? cursor.u64() : cursor.u32()
    if (low === 0 && length === 0) return
    claims.push({ low, high: low + length, unit })
  }
}

function separate(claims: UnitRange[]): UnitRange[] {
  const edges = claims.flatMap(({ low, high, unit }) => [
    { address: low, unit, change: 1 },
    { address: high, unit, change: -1 },
  ])
  edges.sort((a, b) => a.address - b.address || a.unit.offset - b.unit.offset || b.change - a.change)
  const open = new Map<Unit, number>()
  const ranges: UnitRange[] = []
  let from = -1
  for (const { address, unit, change } of edges) {
    if (from < address && open.size > 0) extend(ranges, from, address, open)
    const count = (open.get(unit) ?? 0) + change
    if (count === 0) open.delete(unit)
    else open.set(unit, count)
    from = address
  }
  return ranges
}

function extend(ranges: UnitRange[], low: number, high: number, open: Map<Unit, number>): void {
  const last = ranges.at(-1)
  if (last?.high === low && open.has(last.unit)) last.high = high
  else ranges.push({ low, high, unit: firstUnit(open) })
}

/**
 * Units that are compared where they overlap. Real overlaps are shallow; beyond this number any of the units is taken.
 */
function firstUnit(open: Map<Unit, number>): Unit {
  let first: Unit | undefined
  let seen = 0
  for (const unit of open.keys()) {
    if (!first || unit.offset < first.offset) first = unit
    if (++seen === 64) break
  }
  return first ?? outOfRange()
}
