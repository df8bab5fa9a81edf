import { outOfRange } from '@fairlead/invariant'
import { type Abbreviation, skipEntry, skipForm } from './abbreviations.ts'
import type { CodeEntries, CodeRanges } from './code-entries.ts'
import { type CodePlace, isCodeOffset } from './code-place.ts'
import { Attribute, Form, Tag } from './constants.ts'
import { Cursor } from './cursor.ts'
import type { DebugSections } from './debug-sections.ts'
import { type RangeBudget, readRangeList } from './ranges.ts'
import { readIndexedAddress, type Unit } from './unit.ts'
import { readNumber, toKind } from './value.ts'

/**
 * The deepest nesting of inlined calls that is kept. Deeper calls count as their ancestor at this depth. Compilers
 * reach some tens.
 */
const maxInlineDepth = 256
const maxEntryDepth = 1 << 20
/** Ranges of code that are read in one unit. */
const maxRanges = 1 << 21

/** The collections that the code of a unit is read into. */
export interface UnitCode {
  entries: CodeEntries
  ranges: CodeRanges
}

/**
 * Walks all entries of a unit and keeps those that cover code. It ends at the first malformed entry and keeps the
 * entries before it.
 */
export function readCode(
  sections: DebugSections,
  unit: Unit,
  bytes: Uint8Array,
  place: CodePlace,
  budget: RangeBudget,
  code: UnitCode,
): void {
  const cursor = new Cursor(bytes, unit.firstEntry - unit.offset)
  const reader: Reader = { sections, unit, cursor, place, budget, code }
  const depths = new Depths()
  code.entries.count = code.ranges.count = 0
  const { abbreviations, plainLengths } = unit.abbreviations
  const { end } = cursor
  let { at } = cursor
  let depth = 0
  while (at < end) {
    const start = at
    let number = bytes[at++] ?? outOfRange()
    if (number < 0x80) {
      const plainLength = plainLengths[number] ?? outOfRange()
      if (plainLength !== 0 && depth > 0) {
        at += plainLength - 1
        continue
      }
      if (number === 0) {
        if (--depth <= 0) break
        continue
      }
    } else {
      const second = at < end ? (bytes[at] ?? outOfRange()) : 0x80
      if (second < 0x80) {
        at++
        number = (number & 0x7f) + second * 0x80
        // A code below 0x80 that is written in two bytes has the length of one byte in the table.
        const plainLength = number < 0x80 ? 0 : (plainLengths[number] ?? 0)
        if (plainLength !== 0 && depth > 0) {
          at += plainLength - 2
          continue
        }
      } else {
        cursor.at = start
        number = cursor.uleb()
        at = cursor.at
      }
    }
    const abbreviation = abbreviations[number]
    if (!abbreviation) break
    const { fixedLength, isCode, hasChildren, tag } = abbreviation
    let owner = -1
    let inlineDepth = 0
    if (isCode) {
      const isInlined = tag === Tag.inlinedSubroutine
      owner = depths.owner[depth] ?? outOfRange()
      inlineDepth = isInlined ? (depths.inlined[depth] ?? outOfRange()) + 1 : 0
      cursor.at = at
      if (inlineDepth > maxInlineDepth) {
        skipEntry(cursor, abbreviation, unit)
        inlineDepth--
      } else owner = readCodeEntry(reader, abbreviation, unit.offset + start, isInlined ? owner : -1)
      at = cursor.at
    } else if (fixedLength >= 0) at += fixedLength
    else {
      cursor.at = at
      skipEntry(cursor, abbreviation, unit)
      at = cursor.at
    }
    if (hasChildren) {
      if (!isCode) {
        owner = tag === Tag.subprogram ? -1 : (depths.owner[depth] ?? outOfRange())
        inlineDepth = depths.inlined[depth] ?? outOfRange()
      }
      if (++depth > maxEntryDepth) break
      depths.set(depth, owner, inlineDepth)
    } else if (depth === 0) break
  }
}

/**
 * For each depth: the code entry that encloses entries there (−1 for none), and the number of inlined calls around
 * them.
 */
class Depths {
  owner = new Int32Array(256).fill(-1)
  inlined = new Uint16Array(256)

  set(depth: number, owner: number, inlined: number): void {
    if (depth === this.owner.length) {
      const wider = new Int32Array(depth * 2)
      wider.set(this.owner)
      this.owner = wider
      const widerInlined = new Uint16Array(depth * 2)
      widerInlined.set(this.inlined)
      this.inlined = widerInlined
    }
    this.owner[depth] = owner
    this.inlined[depth] = inlined
  }
}

interface Reader {
  sections: DebugSections
  unit: Unit
  cursor: Cursor
  place: CodePlace
  budget: RangeBudget
  code: UnitCode
}

const absent = -1
const pairs: number[] = []

/** Reads the attributes as plain numbers, because an object for each of millions of values would cost too much. */
function readCodeEntry(reader: Reader, abbreviation: Abbreviation, offset: number, parent: number): number {
  const { cursor, unit, code } = reader
  let lowPc = absent
  let highPc = absent
  let ranges = absent
  let highIsLength = false
  let rangesForm = 0
  let nameEntry = offset
  let callFile = 0
  let callLine = 0
  let callColumn = 0
  let artificial = 0
  const { attributes, forms, implicit } = abbreviation
  for (let index = 0; index < attributes.length; index++) {
    const form = forms[index] ?? outOfRange()
    switch (attributes[index] ?? outOfRange()) {
      case Attribute.lowPc:
        lowPc = readAddress(reader, form)
        break
      case Attribute.highPc:
        highIsLength = toKind(form) === 'constant'
        highPc = highIsLength ? readNumber(cursor, form, unit, implicit[index]) : readAddress(reader, form)
        break
      case Attribute.ranges:
        rangesForm = form
        ranges = readNumber(cursor, form, unit)
        break
      case Attribute.abstractOrigin:
        // An inlined call has no name of its own. Its origin is asked directly, because many calls share it.
        if (abbreviation.tag === Tag.inlinedSubroutine) nameEntry = readReference(reader, form)
        else skipForm(cursor, form, unit)
        break
      case Attribute.callFile:
        callFile = readNumber(cursor, form, unit, implicit[index])
        break
      case Attribute.callLine:
        callLine = readNumber(cursor, form, unit, implicit[index])
        break
      case Attribute.callColumn:
        callColumn = readNumber(cursor, form, unit, implicit[index])
        break
      case Attribute.artificial:
        artificial = form === Form.flagPresent || readNumber(cursor, form, unit, implicit[index]) !== 0 ? 1 : 0
        break
      default:
        skipForm(cursor, form, unit)
    }
  }
  if (cursor.failed) return -1
  const entry = code.entries.push(nameEntry, parent, callFile, callLine, callColumn, artificial)
  if (lowPc !== absent && highPc !== absent) pushRange(reader, lowPc, highIsLength ? lowPc + highPc : highPc, entry)
  else if (ranges !== absent) {
    pairs.length = 0
    readRangeList(reader.sections, unit, { kind: toKind(rangesForm), number: ranges }, reader.budget, pairs)
    for (let at = 0; at < pairs.length; at += 2)
      pushRange(reader, pairs[at] ?? outOfRange(), pairs[at + 1] ?? outOfRange(), entry)
  }
  return entry
}

function readAddress({ sections, unit, cursor }: Reader, form: number): number {
  const number = readNumber(cursor, form, unit)
  const kind = toKind(form)
  if (kind === 'address') return number
  return kind === 'addressIndex' ? (readIndexedAddress(sections, unit, number) ?? absent) : absent
}

function readReference({ unit, cursor }: Reader, form: number): number {
  const number = readNumber(cursor, form, unit)
  const kind = toKind(form)
  if (kind === 'unitReference') return unit.offset + number
  return kind === 'sectionReference' ? number : absent
}

function pushRange({ code, place }: Reader, lowAddress: number, highAddress: number, entry: number): void {
  const low = lowAddress - place.textAddress
  const high = highAddress - place.textAddress
  if (!isCodeOffset(place, low)) return
  if (low >= 0 && low < high && high <= 0xffffffff && code.ranges.count < maxRanges) code.ranges.push(low, high, entry)
}
