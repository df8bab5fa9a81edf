import { Form } from './constants.ts'
import { skipForm, type UnitShape } from './abbreviations.ts'
import type { Cursor } from './cursor.ts'

/** What the number of a value means. */
type ValueKind =
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
  /** The string itself stands here: an offset in the bytes read from. */
  | 'inlineString'
  | 'other'

export interface Value {
  kind: ValueKind
  number: number
}

/** Reads a value of a form; one that means nothing here is stepped over and gives `other`. */
export function readValue(cursor: Cursor, form: number, shape: UnitShape, implicit = 0): Value {
  switch (form) {
    case Form.address:
      return { kind: 'address', number: shape.addressSize === 8 ? cursor.u64() : cursor.u32() }
    case Form.addrx:
    case Form.gnuAddressIndex:
      return { kind: 'addressIndex', number: cursor.uleb() }
    case Form.addrx1:
      return { kind: 'addressIndex', number: cursor.u8() }
    case Form.addrx2:
      return { kind: 'addressIndex', number: cursor.u16() }
    case Form.addrx3:
      return { kind: 'addressIndex', number: cursor.u24() }
    case Form.addrx4:
      return { kind: 'addressIndex', number: cursor.u32() }
    case Form.implicitConstant:
      return { kind: 'constant', number: implicit }
    case Form.data1:
    case Form.flag:
      return { kind: 'constant', number: cursor.u8() }
    case Form.data2:
      return { kind: 'constant', number: cursor.u16() }
    case Form.data4:
      return { kind: 'constant', number: cursor.u32() }
    case Form.data8:
      return { kind: 'constant', number: cursor.u64() }
    case Form.udata:
      return { kind: 'constant', number: cursor.uleb() }
    case Form.sdata:
      return { kind: 'constant', number: cursor.sleb() }
    case Form.ref1:
      return { kind: 'unitReference', number: cursor.u8() }
    case Form.ref2:
      return { kind: 'unitReference', number: cursor.u16() }
    case Form.ref4:
      return { kind: 'unitReference', number: cursor.u32() }
    case Form.ref8:
      return { kind: 'unitReference', number: cursor.u64() }
    case Form.refUdata:
      return { kind: 'unitReference', number: cursor.uleb() }
    case Form.refAddress:
      return {
        kind: 'sectionReference',
        number: shape.version === 2 && shape.addressSize === 8 ? cursor.u64() : cursor.u32(),
      }
    case Form.sectionOffset:
      return { kind: 'sectionOffset', number: cursor.u32() }
    case Form.rangeListIndex:
      return { kind: 'rangeListIndex', number: cursor.uleb() }
    case Form.strp:
      return { kind: 'string', number: cursor.u32() }
    case Form.lineStrp:
      return { kind: 'lineString', number: cursor.u32() }
    case Form.strx:
    case Form.gnuStringIndex:
      return { kind: 'stringIndex', number: cursor.uleb() }
    case Form.strx1:
      return { kind: 'stringIndex', number: cursor.u8() }
    case Form.strx2:
      return { kind: 'stringIndex', number: cursor.u16() }
    case Form.strx3:
      return { kind: 'stringIndex', number: cursor.u24() }
    case Form.strx4:
      return { kind: 'stringIndex', number: cursor.u32() }
    case Form.string:
      return { kind: 'inlineString', number: cursor.skipString() }
    case Form.indirect: {
      const actual = cursor.uleb()
      if (actual !== Form.indirect && actual !== Form.implicitConstant) return readValue(cursor, actual, shape)
      cursor.fail()
      return { kind: 'other', number: 0 }
    }
    default:
      skipForm(cursor, form, shape)
      return { kind: 'other', number: 0 }
  }
}
