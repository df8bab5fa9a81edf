/**
 * The table of abbreviations, which describes the layout of the debugging information entries (DIEs) of a unit. Each
 * abbreviation is
 *   code (ULEB, 0 ends the table) · tag (ULEB) · has children (1) · pairs of attribute and form (ULEB each), then 0 0;
 *   the form implicit_const is followed by its value (SLEB).
 *
 * Most entries are only skipped. Each abbreviation therefore knows its length if all its entries have the same one,
 * else a list of steps in which neighbouring fields of known length are joined.
 */
import { outOfRange } from '@fairlead/invariant'
import { Attribute, Form, Tag } from './constants.ts'
import { Cursor } from './cursor.ts'

/**
 * Steps that skip an entry: a number ≥ 0 skips that many bytes, a negative one skips a value of the form −n, whose
 * length varies.
 */
type Steps = Int32Array

export interface Abbreviation {
  tag: number
  hasChildren: boolean
  attributes: number[]
  forms: number[]
  /** Values of implicit constants, by the position of their attribute. */
  implicit: number[]
  steps: Steps
  /** Bytes of an entry after its code; −1 if they differ between entries. */
  fixedLength: number
  /** Whether an entry can cover code: it is an inlined call, or a function with addresses. */
  isCode: boolean
}

export interface AbbreviationTable {
  /** The abbreviations; the index is their code. */
  abbreviations: (Abbreviation | undefined)[]
  /**
   * The bytes of an entry that is only skipped, its code of one or two bytes included; the index is the code. It is 0
   * for entries that have children, cover code or differ in length. Nearly all entries are skipped by this table alone.
   */
  plainLengths: Uint32Array
}

/** The lengths, in bytes, of forms whose length depends on the unit. */
export interface UnitShape {
  addressSize: number
  version: number
}

const maxAbbreviations = 1 << 20
const maxAttributes = 4096

/** Parses the table at `offset`. It stops at the first malformed abbreviation; later codes are then unknown. */
export function parseAbbreviations(section: Uint8Array, offset: number, shape: UnitShape): AbbreviationTable {
  const abbreviations: (Abbreviation | undefined)[] = []
  const cursor = new Cursor(section, offset)
  for (let count = 0; count < maxAbbreviations; count++) {
    const code = cursor.uleb()
    if (code === 0 || cursor.failed || code > maxAbbreviations) break
    const abbreviation = parseOne(cursor, shape)
    if (abbreviation === undefined) break
    abbreviations[code] ??= abbreviation
  }
  // Codes of more than two bytes are rare, so the table has none of them.
  const codes = Math.min(0x4000, Math.max(0x80, abbreviations.length))
  const plainLengths = Uint32Array.from({ length: codes }, (_, code) => toPlainLength(abbreviations[code], code))
  return { abbreviations, plainLengths }
}

function toPlainLength(abbreviation: Abbreviation | undefined, code: number): number {
  if (!abbreviation || abbreviation.hasChildren || abbreviation.isCode || abbreviation.fixedLength < 0) return 0
  return abbreviation.fixedLength + (code < 0x80 ? 1 : 2)
}

function parseOne(cursor: Cursor, shape: UnitShape): Abbreviation | undefined {
  const tag = cursor.uleb()
  const hasChildren = cursor.u8() !== 0
  const attributes: number[] = []
  const forms: number[] = []
  const implicit: number[] = []
  while (attributes.length < maxAttributes) {
    const attribute = cursor.uleb()
    const form = cursor.uleb()
    if (cursor.failed) return undefined
    if (attribute === 0 && form === 0) {
      const steps = toSteps(forms, shape)
      return {
        tag,
        hasChildren,
        attributes,
        forms,
        implicit,
        steps,
        fixedLength:
          steps.length === 0
            ? 0
            : steps.length === 1 && (steps[0] ?? outOfRange()) >= 0
              ? (steps[0] ?? outOfRange())
              : -1,
        isCode: isCode(tag, attributes),
      }
    }
    if (form === Form.implicitConstant) implicit[forms.length] = cursor.sleb()
    attributes.push(attribute)
    forms.push(form)
  }
  return undefined
}

function isCode(tag: number, attributes: readonly number[]): boolean {
  if (tag === Tag.inlinedSubroutine) return true
  return tag === Tag.subprogram && (attributes.includes(Attribute.lowPc) || attributes.includes(Attribute.ranges))
}

function toSteps(forms: readonly number[], shape: UnitShape): Steps {
  const steps: number[] = []
  for (const form of forms) {
    const length = lengthOfForm(form, shape)
    const last = steps.at(-1)
    if (length === undefined) steps.push(-form)
    else if (length === 0) continue
    else if (last !== undefined && last >= 0) steps[steps.length - 1] = last + length
    else steps.push(length)
  }
  return Int32Array.from(steps)
}

/** The length of a form in bytes; undefined if it differs from value to value. */
function lengthOfForm(form: number, shape: UnitShape): number | undefined {
  switch (form) {
    case Form.flagPresent:
    case Form.implicitConstant:
      return 0
    case Form.data1:
    case Form.flag:
    case Form.ref1:
    case Form.strx1:
    case Form.addrx1:
      return 1
    case Form.data2:
    case Form.ref2:
    case Form.strx2:
    case Form.addrx2:
      return 2
    case Form.strx3:
    case Form.addrx3:
      return 3
    case Form.data4:
    case Form.ref4:
    case Form.strp:
    case Form.lineStrp:
    case Form.sectionOffset:
    case Form.strx4:
    case Form.addrx4:
    case Form.refSupplement4:
    case Form.strpSupplement:
    case Form.gnuRefAlternate:
    case Form.gnuStrpAlternate:
      return 4
    case Form.data8:
    case Form.ref8:
    case Form.refSignature8:
    case Form.refSupplement8:
      return 8
    case Form.data16:
      return 16
    case Form.address:
      return shape.addressSize
    case Form.refAddress:
      return shape.version === 2 ? shape.addressSize : 4
    default:
      return undefined
  }
}

/** Skips one value. An unknown form fails the cursor, because nothing after it can be found. */
export function skipForm(cursor: Cursor, form: number, shape: UnitShape): void {
  const length = lengthOfForm(form, shape)
  if (length === undefined) skipVariable(cursor, form, shape)
  else cursor.skip(length)
}

/** Whether a form is one LEB128 number. */
function isUleb(form: number): boolean {
  switch (form) {
    case Form.sdata:
    case Form.udata:
    case Form.refUdata:
    case Form.strx:
    case Form.addrx:
    case Form.locationListIndex:
    case Form.rangeListIndex:
    case Form.gnuAddressIndex:
    case Form.gnuStringIndex:
      return true
    default:
      return false
  }
}

/** Skips one value of a form whose length differs from value to value. */
function skipVariable(cursor: Cursor, form: number, shape: UnitShape): void {
  if (isUleb(form)) {
    cursor.uleb()
    return
  }
  switch (form) {
    case Form.block1:
      return cursor.skip(cursor.u8())
    case Form.block2:
      return cursor.skip(cursor.u16())
    case Form.block4:
      return cursor.skip(cursor.u32())
    case Form.block:
    case Form.expression:
      return cursor.skip(cursor.uleb())
    case Form.string:
      cursor.skipString()
      return
    case Form.llvmAddrxOffset:
      cursor.uleb()
      return cursor.skip(4)
    case Form.indirect: {
      const actual = cursor.uleb()
      if (actual === Form.indirect || actual === Form.implicitConstant) cursor.fail()
      else skipForm(cursor, actual, shape)
      return
    }
    default:
      cursor.fail()
  }
}

/** Skips the attributes of one entry. */
export function skipEntry(cursor: Cursor, abbreviation: Abbreviation, shape: UnitShape): void {
  if (abbreviation.fixedLength >= 0) return cursor.skip(abbreviation.fixedLength)
  const { steps } = abbreviation
  const { bytes, end } = cursor
  let { at } = cursor
  for (let index = 0; index < steps.length; index++) {
    const step = steps[index] ?? outOfRange()
    const first = step < 0 && at < end ? (bytes[at] ?? outOfRange()) : 0x80
    if (step >= 0) at += step
    else if (first < 0x80 && step === -Form.expression) at += 1 + first
    else if (first < 0x80 && isUleb(-step)) at++
    else {
      cursor.at = Math.min(at, end)
      skipVariable(cursor, -step, shape)
      at = cursor.at
    }
  }
  if (at <= end) cursor.at = at
  else cursor.fail()
}
