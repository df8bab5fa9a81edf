/**
 * A unit of .debug_info: its header, and of its first entry what all others need.
 *   0 length (4; ffffffff starts a 64-bit unit, fffffff0 and above are reserved) · 4 version (2)
 *   versions 2 to 4: 6 abbreviations' offset (4) · 10 address size
 *   version 5:       6 unit type · 7 address size · 8 abbreviations' offset (4), then for a skeleton or split unit 8 bytes of id,
 *                    for a type unit 8 bytes of signature and 4 of offset
 */
import { Attribute } from './constants.ts'
import { type Abbreviation, type AbbreviationTable, skipForm, type UnitShape } from './abbreviations.ts'
import { Cursor } from './cursor.ts'
import type { DebugSections } from './debug-sections.ts'
import { readValue, type Value } from './value.ts'

export interface Unit extends UnitShape {
  /** Where the unit starts and ends, and where its first entry is, as offsets in .debug_info. */
  offset: number
  end: number
  firstEntry: number
  abbreviations: AbbreviationTable
  stringOffsetsBase: number
  addressBase: number
  rangeListsBase: number
  /** Offset in .debug_line, or −1. */
  statementList: number
  /** The base of range lists: the unit's own low pc. */
  lowPc: number
  highPc: Value | undefined
  ranges: Value | undefined
}

/** Enough for the header and nearly every first entry; a longer one is read again in full. */
const firstRead = 512
const longestFirstEntry = 1024 * 1024
const maxUnits = 4_000_000

/**
 * Lists the units in order. One that cannot be read is left out; where even its length is not to be believed the list ends there.
 * Both are told of in `problems`.
 */
export function listUnits(sections: DebugSections, problems: string[]): Unit[] {
  const units: Unit[] = []
  const size = sections.entries.size
  let skipped = 0
  for (let offset = 0; offset + 11 <= size && units.length + skipped < maxUnits;) {
    const head = new Cursor(sections.entries.read(offset, 16))
    const length = head.u32()
    if (length >= 0xfffffff0 || length < 7 || offset + 4 + length > size) {
      problems.push(`The debug entries end at ${offset} of ${size}, where a unit has an impossible length.`)
      break
    }
    const unit = readUnit(sections, offset, offset + 4 + length)
    if (unit) units.push(unit)
    else skipped++
    offset += 4 + length
  }
  if (skipped > 0) problems.push(`${skipped} units of debug entries are damaged or of an unknown version.`)
  return units
}

function readUnit(sections: DebugSections, offset: number, end: number): Unit | undefined {
  for (const length of [firstRead, longestFirstEntry]) {
    const bytes = sections.entries.read(offset, Math.min(length, end - offset))
    const cursor = new Cursor(bytes)
    const unit = readHeader(sections, cursor, offset, end)
    if (!unit) return undefined
    readFirstEntry(sections, cursor, unit)
    if (!cursor.failed) return unit
    if (offset + bytes.length === end) return undefined
  }
  return undefined
}

function readHeader(sections: DebugSections, cursor: Cursor, offset: number, end: number): Unit | undefined {
  cursor.skip(4)
  const version = cursor.u16()
  if (version < 2 || version > 5) return undefined
  const type = version === 5 ? cursor.u8() : 1
  const addressSizeFirst = version === 5 ? cursor.u8() : 0
  const abbreviationsOffset = cursor.u32()
  const addressSize = version === 5 ? addressSizeFirst : cursor.u8()
  if (type === 4 || type === 5) cursor.skip(8)
  if (type === 2 || type === 6) cursor.skip(12)
  if (cursor.failed || (addressSize !== 4 && addressSize !== 8)) return undefined
  const abbreviations = sections.requireAbbreviations(abbreviationsOffset, { addressSize, version })
  if (!abbreviations) return undefined
  return {
    offset,
    end,
    firstEntry: offset + cursor.at,
    version,
    addressSize,
    abbreviations,
    stringOffsetsBase: 8,
    addressBase: 8,
    rangeListsBase: 12,
    statementList: -1,
    lowPc: 0,
    highPc: undefined,
    ranges: undefined,
  }
}

function readFirstEntry(sections: DebugSections, cursor: Cursor, unit: Unit): void {
  const abbreviation = unit.abbreviations.abbreviations[cursor.uleb()]
  if (!abbreviation) {
    cursor.fail()
    return
  }
  const values = readAttributes(cursor, abbreviation, unit)
  if (cursor.failed) return
  unit.stringOffsetsBase = values.get(Attribute.stringOffsetsBase)?.number ?? unit.stringOffsetsBase
  unit.addressBase = values.get(Attribute.addressBase)?.number ?? unit.addressBase
  unit.rangeListsBase = values.get(Attribute.rangeListsBase)?.number ?? unit.rangeListsBase
  unit.statementList = values.get(Attribute.statementList)?.number ?? -1
  unit.highPc = values.get(Attribute.highPc)
  unit.ranges = values.get(Attribute.ranges)
  const low = values.get(Attribute.lowPc) ?? values.get(Attribute.entryPc)
  if (low) unit.lowPc = toAddress(sections, unit, low) ?? 0
}

const wanted = new Set<number>([
  Attribute.stringOffsetsBase,
  Attribute.addressBase,
  Attribute.rangeListsBase,
  Attribute.statementList,
  Attribute.lowPc,
  Attribute.entryPc,
  Attribute.highPc,
  Attribute.ranges,
])

function readAttributes(cursor: Cursor, abbreviation: Abbreviation, unit: Unit): Map<number, Value> {
  const values = new Map<number, Value>()
  for (const [index, attribute] of abbreviation.attributes.entries()) {
    const form = abbreviation.forms[index] as number
    if (wanted.has(attribute)) values.set(attribute, readValue(cursor, form, unit, abbreviation.implicit[index]))
    else skipForm(cursor, form, unit)
  }
  return values
}

/** The address that a value stands for: itself, or an index into .debug_addr. */
export function toAddress(sections: DebugSections, unit: Unit, value: Value): number | undefined {
  if (value.kind === 'address') return value.number
  if (value.kind !== 'addressIndex') return undefined
  return readIndexedAddress(sections, unit, value.number)
}

export function readIndexedAddress(sections: DebugSections, unit: Unit, index: number): number | undefined {
  const cursor = new Cursor(sections.addresses.read(unit.addressBase + index * unit.addressSize, unit.addressSize))
  const address = unit.addressSize === 8 ? cursor.u64() : cursor.u32()
  return cursor.failed ? undefined : address
}
