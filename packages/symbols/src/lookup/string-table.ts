/** The strings of a region of a lookup file: see format.ts. */
import type { ByteWriter } from './byte-writer.ts'
import { DemangledNames } from './demangled-names.ts'
import { ColumnReader, damaged } from './column-reader.ts'

export interface StringTable {
  /** Its size in memory, roughly. */
  readonly byteLength: number
  /** The string of a number; undefined for 0. */
  find(index: number): string | undefined
  /** The same for the name of a function, in the form that the table was decoded for. */
  findName(index: number): string | undefined
  /** The same as bytes. The number is not 0. */
  append(index: number, writer: ByteWriter): void
  appendName(index: number, writer: ByteWriter): void
}

/** How functions are named: as the compiler does it, or demangled. */
export type NameForm = 'linkage' | 'full' | 'short'

/** Each string is decoded or demangled when it is first asked for. */
export function decodeStrings(bytes: Buffer, form: NameForm): StringTable {
  const reader = new ColumnReader(bytes)
  const count = reader.word()
  const ends = new Uint32Array(reader.column(count))
  let end = reader.at
  const start = end
  for (let index = 0; index < count; index++) ends[index] = end += ends[index] as number
  if (end > bytes.length) throw damaged('Strings are cut off.')
  const startOf = (index: number) => {
    if (index > count) throw damaged('A string is missing.')
    return index === 1 ? start : (ends[index - 2] as number)
  }
  const endOf = (index: number) => ends[index - 1] as number
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
