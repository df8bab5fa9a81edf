/**
 * A unit of .debug_info: its header, and the fields of its first entry that all other entries need.
 *   0 length (4; ffffffff starts a 64-bit unit, fffffff0 and above are reserved) · 4 version (2)
 *   versions 2 to 4: 6 abbreviations' offset (4) · 10 address size
 *   version 5:       6 unit type · 7 address size · 8 abbreviations' offset (4), then for a skeleton or split unit
 *                    8 bytes of id, for a type unit 8 bytes of signature and 4 of offset
 */
import { outOfRange } from '@fairlead/invariant'
import { Attribute } from './constants.ts'
import { type Abbreviation, type AbbreviationTable, skipForm, type UnitShape } from './abbreviations.ts'
import { Cursor } from './cursor.ts'
import type { DebugSections } from './debug-sections.ts'
import { readValue, type Value } from './value.ts'

export interface Unit extends UnitShape {
  /** Offsets in .debug_info of the unit's start, its end and its first entry. */
  offset: number
  end: number
  firstEntry: number
  abbreviations: AbbreviationTable
  stringOffsetsBase: number
  addressBase: number
  rangeListsBase: number
  /** Offset in .debug_line; −1 if the unit has no line program. */
  statementList: number
  /** The unit's low pc, to which range lists are relative. */
  lowPc: number
  highPc: Value | undefined
  ranges: Value | undefined
}

/** Bytes that are read at first. They hold the header and nearly every first entry; if not, more is read. */
const firstRead = 512
const longestFirstEntry = 1024 * 1024
const maxUnits = 4_000_000

/**
 * Lists the units in order. A unit that cannot be read is left out; if its length is impossible too, the list ends
 * there. `problems` says so in both cases.
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
    const form = abbreviation.forms[index] ?? outOfRange()
    if (wanted.has(attribute)) values.set(attribute, readValue(cursor, form, unit, abbreviation.implicit[index]))
    else skipForm(cursor, form, unit)
  }
  return values
}

/** The address that a value means: the value itself, or an entry of .debug_addr that it is the index of. */
export function toAddress(sections: DebugSections, unit: Unit, value: Value): number | undefined {
  if (value.kind === 'address') return value.number
  if (value.kind !== 'addressIndex') return undefined
  return readIndexedAddress(sections, unit, value.number)
}

export function readIndexedAddress(sections: DebugSections, unit: Unit, index: number): number | undefined {
  const length = unit.addressSize === 8 ? 8 : 4
  return sections.addresses.readNumber(unit.addressBase + index * length, length)
}
