/**
 * Finds the name of a function's entry: its linkage name, or the linkage name of an entry that it refers to (abstract
 * origin, specification); if there is none, the plain name in the same way. References may lead into other units,
 * because dsymutil makes such references.
 */
import { outOfRange } from '@fairlead/invariant'
import { Attribute, Form } from './constants.ts'
import { skipForm } from './abbreviations.ts'
import { Cursor } from './cursor.ts'
import type { DebugSections } from './debug-sections.ts'
import { type NamePlace, noName, Section, toNamePlace } from './name-place.ts'
import { OffsetMap } from './offset-map.ts'
import type { Unit } from './unit.ts'
import { upperBoundBy } from '../sorted/search.ts'
import { readValue, type Value } from './value.ts'

/** References that are followed for one name. Real chains have two or three. */
const maxHops = 16
const usualHops = 3
/**
 * References that are followed in one file beyond the first of each name. It bounds the time for a hostile file that
 * consists of chains.
 */
const maxUnusualHops = 100_000
const entryReads = [1024, 256 * 1024]

interface NamedEntry {
  linkageName: NamePlace
  name: NamePlace
  /** Offsets in .debug_info of the entries to ask next; −1 if there is none. */
  origin: number
  specification: number
}

export class EntryNames {
  readonly #sections: DebugSections
  readonly #units: readonly Unit[]
  readonly #names: { intern(place: NamePlace): number }
  readonly #known = new OffsetMap()
  readonly #cursor = new Cursor(new Uint8Array(0))
  readonly #entry: NamedEntry = { linkageName: noName, name: noName, origin: -1, specification: -1 }
  #unusualHops = 0
  #unit: Unit | undefined
  #unitBytes: Uint8Array = new Uint8Array(0)

  /** `units` are in the order of the file; `names` gives each name a number. */
  constructor(sections: DebugSections, units: readonly Unit[], names: { intern(place: NamePlace): number }) {
    this.#sections = sections
    this.#units = units
    this.#names = names
  }

  /** Gives the bytes of the unit that is being walked, so that entries in it are not read from the file again. */
  enterUnit(unit: Unit, bytes: Uint8Array): void {
    this.#unit = unit
    this.#unitBytes = bytes
  }

  /** Returns the number that `names` gives to the name of the entry at an offset in .debug_info. */
  findName(offset: number): number {
    if (!(offset > 0 && offset <= 0xffffffff)) return 0
    const known = this.#known.get(offset)
    if (known !== undefined) return known
    const name = this.#names.intern(this.#resolve(offset))
    this.#known.set(offset, name)
    return name
  }

  #resolve(start: number): NamePlace {
    const first = this.#readEntry(start)
    if (!first) return noName
    if (first.linkageName !== noName) return first.linkageName
    let { name } = first
    const seen = new Set([start])
    const waiting = [first.origin, first.specification]
    while (waiting.length > 0 && seen.size < maxHops) {
      const offset = waiting.pop() ?? outOfRange()
      if (offset < 0 || seen.has(offset)) continue
      seen.add(offset)
      if (seen.size > usualHops && ++this.#unusualHops > maxUnusualHops) break
      const entry = this.#readEntry(offset)
      if (!entry) continue
      if (entry.linkageName !== noName) return entry.linkageName
      if (name === noName) name = entry.name
      waiting.push(entry.origin, entry.specification)
    }
    return name
  }

  /** Returns an entry object that the next call overwrites. */
  #readEntry(offset: number): NamedEntry | undefined {
    const unit = this.#findUnit(offset)
    if (!unit || offset < unit.firstEntry) return undefined
    if (unit === this.#unit) return this.#readNames(unit, this.#unitBytes, offset - unit.offset, unit.offset)
    for (const length of entryReads) {
      const bytes = this.#sections.entries.read(offset, Math.min(length, unit.end - offset))
      const entry = this.#readNames(unit, bytes, 0, offset)
      if (entry || offset + bytes.length === unit.end) return entry
    }
    return undefined
  }

  /**
   * Reads the entry at `at` in `bytes`, which start at `base` in .debug_info. It is called a million times, so it
   * reuses one cursor and one entry.
   */
  #readNames(unit: Unit, bytes: Uint8Array, at: number, base: number): NamedEntry | undefined {
    const cursor = this.#cursor
    cursor.bytes = bytes
    cursor.at = at
    cursor.end = bytes.length
    cursor.failed = false
    return readNames(this.#sections, unit, cursor, base, this.#entry) ? this.#entry : undefined
  }

  #findUnit(offset: number): Unit | undefined {
    const current = this.#unit
    if (current && offset >= current.offset && offset < current.end) return current
    const unit = this.#units[upperBoundBy(this.#units, ({ end }) => end, offset)]
    return unit && offset >= unit.offset ? unit : undefined
  }
}

/**
 * Reads the names of the entry at the cursor; `base` is the offset in .debug_info at which the cursor's bytes start.
 * Returns false if the entry is malformed.
 */
function readNames(sections: DebugSections, unit: Unit, cursor: Cursor, base: number, entry: NamedEntry): boolean {
  const abbreviation = unit.abbreviations.abbreviations[cursor.uleb()]
  if (!abbreviation) return false
  entry.linkageName = entry.name = noName
  entry.origin = entry.specification = -1
  const { attributes, forms } = abbreviation
  for (let index = 0; index < attributes.length; index++) {
    const form = forms[index] ?? outOfRange()
    switch (attributes[index] ?? outOfRange()) {
      case Attribute.linkageName:
      case Attribute.mipsLinkageName: {
        const place = readPlace(sections, unit, cursor, form, base)
        entry.linkageName ||= place
        break
      }
      case Attribute.name:
        entry.name = readPlace(sections, unit, cursor, form, base)
        break
      case Attribute.abstractOrigin:
        entry.origin = readReference(unit, cursor, form)
        break
      case Attribute.specification:
        entry.specification = readReference(unit, cursor, form)
        break
      default:
        skipForm(cursor, form, unit)
    }
  }
  return !cursor.failed
}

/** Reads a reference as an offset in .debug_info; −1 if it points nowhere. */
function readReference(unit: Unit, cursor: Cursor, form: number): number {
  if (form === Form.ref4) return unit.offset + cursor.u32()
  const value = readValue(cursor, form, unit)
  if (value.kind === 'unitReference') return unit.offset + value.number
  return value.kind === 'sectionReference' ? value.number : -1
}

function readPlace(sections: DebugSections, unit: Unit, cursor: Cursor, form: number, base: number): NamePlace {
  if (form !== Form.strp) return toPlace(sections, unit, readValue(cursor, form, unit), base)
  const offset = cursor.u32()
  return offset < sections.strings.size ? toNamePlace(Section.strings, offset) : noName
}

function toPlace(sections: DebugSections, unit: Unit, value: Value, base: number): NamePlace {
  switch (value.kind) {
    case 'string':
      return value.number < sections.strings.size ? toNamePlace(Section.strings, value.number) : noName
    case 'lineString':
      return value.number < sections.lineStrings.size ? toNamePlace(Section.lineStrings, value.number) : noName
    case 'inlineString':
      return toNamePlace(Section.entries, base + value.number)
    case 'stringIndex': {
      const offset = sections.stringOffsets.readNumber(unit.stringOffsetsBase + value.number * 4, 4)
      return offset === undefined || offset >= sections.strings.size ? noName : toNamePlace(Section.strings, offset)
    }
    case 'address':
    case 'addressIndex':
    case 'constant':
    case 'other':
    case 'rangeListIndex':
    case 'sectionOffset':
    case 'sectionReference':
    case 'unitReference':
      return noName
    default:
      return value.kind satisfies never
  }
}
