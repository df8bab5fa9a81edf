import { Form } from './constants.ts'
import { skipForm, type UnitShape } from './abbreviations.ts'
import type { Cursor } from './cursor.ts'

/** The meaning of a value's number. */
export type ValueKind =
  | 'address'
  | 'addressIndex'
  | 'constant'
  /** An offset from the start of the unit. */
  | 'unitReference'
  /** An offset in .debug_info. */
  | 'sectionReference'
  | 'sectionOffset'
  | 'rangeListIndex'
  /** An offset in .debug_str. */
  | 'string'
  /** An offset in .debug_line_str. */
  | 'lineString'
  /** An index into .debug_str_offsets. */
  | 'stringIndex'
  /** An inline string; the number is its offset in the bytes that are read. */
  | 'inlineString'
  | 'other'

export interface Value {
  kind: ValueKind
  number: number
}

const kindsByForm: Record<number, ValueKind> = {
  [Form.address]: 'address',
  [Form.addrx]: 'addressIndex',
  [Form.addrx1]: 'addressIndex',
  [Form.addrx2]: 'addressIndex',
  [Form.addrx3]: 'addressIndex',
  [Form.addrx4]: 'addressIndex',
  [Form.gnuAddressIndex]: 'addressIndex',
  [Form.implicitConstant]: 'constant',
  [Form.data1]: 'constant',
  [Form.data2]: 'constant',
  [Form.data4]: 'constant',
  [Form.data8]: 'constant',
  [Form.udata]: 'constant',
  [Form.sdata]: 'constant',
  [Form.flag]: 'constant',
  [Form.ref1]: 'unitReference',
  [Form.ref2]: 'unitReference',
  [Form.ref4]: 'unitReference',
  [Form.ref8]: 'unitReference',
  [Form.refUdata]: 'unitReference',
  [Form.refAddress]: 'sectionReference',
  [Form.sectionOffset]: 'sectionOffset',
  [Form.rangeListIndex]: 'rangeListIndex',
  [Form.strp]: 'string',
  [Form.lineStrp]: 'lineString',
  [Form.strx]: 'stringIndex',
  [Form.strx1]: 'stringIndex',
  [Form.strx2]: 'stringIndex',
  [Form.strx3]: 'stringIndex',
  [Form.strx4]: 'stringIndex',
  [Form.gnuStringIndex]: 'stringIndex',
  [Form.string]: 'inlineString',
}

const kinds = Array.from({ length: Form.addrx4 + 1 }, (_, form) => kindsByForm[form] ?? 'other')

/** The meaning of values of a form; `other` for forms that are not used here. */
export function toKind(form: number): ValueKind {
  return kinds[form] ?? kindsByForm[form] ?? 'other'
}

/** Reads a value of a form. Values of kind `other` are skipped. */
export function readValue(cursor: Cursor, form: number, shape: UnitShape, implicit = 0): Value {
  if (form !== Form.indirect) return { kind: toKind(form), number: readNumber(cursor, form, shape, implicit) }
  const actual = cursor.uleb()
  if (actual !== Form.indirect && actual !== Form.implicitConstant) return readValue(cursor, actual, shape)
  return { kind: 'other', number: cursor.fail() }
}

/** Reads the number of a value whose kind is known from its form. */
export function readNumber(cursor: Cursor, form: number, shape: UnitShape, implicit = 0): number {
  switch (form) {
    case Form.address:
      return shape.addressSize === 8 ? cursor.u64() : cursor.u32()
    case Form.data1:
    case Form.flag:
    case Form.ref1:
    case Form.strx1:
    case Form.addrx1:
      return cursor.u8()
    case Form.data2:
    case Form.ref2:
    case Form.strx2:
    case Form.addrx2:
      return cursor.u16()
    case Form.strx3:
    case Form.addrx3:
      return cursor.u24()
    case Form.data4:
    case Form.ref4:
    case Form.strp:
    case Form.lineStrp:
    case Form.sectionOffset:
    case Form.strx4:
    case Form.addrx4:
      return cursor.u32()
    case Form.data8:
    case Form.ref8:
      return cursor.u64()
    case Form.refAddress:
      return shape.version === 2 && shape.addressSize === 8 ? cursor.u64() : cursor.u32()
    case Form.udata:
    case Form.refUdata:
    case Form.strx:
    case Form.addrx:
    case Form.rangeListIndex:
    case Form.gnuAddressIndex:
    case Form.gnuStringIndex:
      return cursor.uleb()
    case Form.sdata:
      return cursor.sleb()
    case Form.implicitConstant:
      return implicit
    case Form.string:
      return cursor.skipString()
    default:
      skipForm(cursor, form, shape)
      return 0
  }
}
