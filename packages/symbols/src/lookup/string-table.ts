/** The strings of one region of a lookup file, which format.ts describes. */
import { outOfRange } from '@fairlead/invariant'
import type { ByteWriter } from './byte-writer.ts'
import { DemangledNames } from './demangled-names.ts'
import { ColumnReader, damaged } from './column-reader.ts'

export interface StringTable {
  /** The approximate size in memory, in bytes. */
  readonly byteLength: number
  /** The string with a number; undefined for 0. */
  find(index: number): string | undefined
  /** The name of a function by its number, in the form that the table was opened for; undefined for 0. */
  findName(index: number): string | undefined
  /** Appends a string, or the name of a function, as bytes. The number must not be 0. */
  append(index: number, writer: ByteWriter): void
  appendName(index: number, writer: ByteWriter): void
}

/** The form of function names: as the compiler wrote them, or demangled. */
export type NameForm = 'linkage' | 'full' | 'short'

/** Strings are decoded and demangled when they are first asked for. */
export function decodeStrings(bytes: Buffer, form: NameForm): StringTable {
  const reader = new ColumnReader(bytes)
  const count = reader.word()
  const ends = new Uint32Array(reader.column(count))
  let end = reader.at
  const start = end
  for (let index = 0; index < count; index++) ends[index] = end += ends[index] ?? outOfRange()
  if (end > bytes.length) throw damaged('Strings are cut off.')
  const startOf = (index: number) => {
    if (index > count) throw damaged('A string is missing.')
    return index === 1 ? start : (ends[index - 2] ?? outOfRange())
  }
  const endOf = (index: number) => ends[index - 1] ?? outOfRange()
  const append = (index: number, writer: ByteWriter) => writer.append(bytes, startOf(index), endOf(index))
  const strings: (string | undefined)[] = []
  const find = (index: number) => {
    if (index === 0) return undefined
    return (strings[index] ??= bytes.toString('utf8', startOf(index), endOf(index)))
  }
  const byteLength = bytes.length + count * 12
  if (form === 'linkage') return { byteLength, find, findName: find, append, appendName: append }

  const names = new DemangledNames(count, form)
  const demangle = (index: number) => names.has(index) || names.add(index, bytes, startOf(index), endOf(index))
  return {
    byteLength: byteLength + bytes.length,
    find,
    append,
    findName(index) {
      if (index === 0) return undefined
      demangle(index)
      return names.find(index)
    },
    appendName(index, writer) {
      demangle(index)
      names.append(index, writer)
    },
  }
}
