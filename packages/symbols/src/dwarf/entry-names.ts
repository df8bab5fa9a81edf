/**
 * The name of a function's entry: its linkage name, or that of the entries it refers to (abstract origin, specification); else the same for
 * the plain name. References may lead into other units, as dsymutil makes them.
 */
import { Attribute, Form } from './constants.ts'
import { skipForm } from './abbreviations.ts'
import { Cursor } from './cursor.ts'
import type { DebugSections } from './debug-sections.ts'
import { type NamePlace, noName, Section, toNamePlace } from './name-place.ts'
import { OffsetMap } from './offset-map.ts'
import type { Unit } from './unit.ts'
import { readValue, type Value } from './value.ts'

/** References that are followed for one name. Real chains have two or three. */
const maxHops = 16
const usualHops = 3
/** References beyond the usual that are followed in all of a file: a file of nothing but chains is not worth the time. */
const maxUnusualHops = 100_000
const entryReads = [1024, 256 * 1024]

interface NamedEntry {
  linkageName: NamePlace
  name: NamePlace
  /** Offsets of the entries to ask next, or −1. */
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

  /** `units` in the order of the file; `names` numbers what is found. */
  constructor(sections: DebugSections, units: readonly Unit[], names: { intern(place: NamePlace): number }) {
    this.#sections = sections
    this.#units = units
    this.#names = names
  }

  /** Says which unit's bytes are at hand, so that entries in it are not read again. */
  enterUnit(unit: Unit, bytes: Uint8Array): void {
    this.#unit = unit
    this.#unitBytes = bytes
  }

  /** The number that `names` gives the name of the entry at an offset in .debug_info. */
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
      const offset = waiting.pop() as number
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

  /** The entry is good until the next one is read. */
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

  /** Reads the entry at a place in bytes, which start at `base` in .debug_info. There are a million of them, so that one cursor and one entry serve all. */
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
    let low = 0
    let high = this.#units.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#units[middle] as Unit).end <= offset) low = middle + 1
      else high = middle
    }
    const unit = this.#units[low]
    return unit && offset >= unit.offset ? unit : undefined
  }
}

/** Reads the names of the entry under the cursor; `base` is where the cursor's bytes start in .debug_info. Returns whether it could be read. */
function readNames(sections: DebugSections, unit: Unit, cursor: Cursor, base: number, entry: NamedEntry): boolean {
  const abbreviation = unit.abbreviations.abbreviations[cursor.uleb()]
  if (!abbreviation) return false
  entry.linkageName = entry.name = noName
  entry.origin = entry.specification = -1
  const { attributes, forms } = abbreviation
  for (let index = 0; index < attributes.length; index++) {
    const form = forms[index] as number
    switch (attributes[index]) {
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

/** Reads a reference as an offset in .debug_info, or −1. */
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
      const cursor = new Cursor(sections.stringOffsets.read(unit.stringOffsetsBase + value.number * 4, 4))
      const offset = cursor.u32()
      return cursor.failed || offset >= sections.strings.size ? noName : toNamePlace(Section.strings, offset)
    }
    default:
      return noName
  }
}
