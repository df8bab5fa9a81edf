/** The strings of a region of a lookup file: see format.ts. */
import { ColumnReader, damaged } from './column-reader.ts'

export interface StringTable {
  /** Its size in memory, roughly. */
  readonly byteLength: number
  /** The string of a number; undefined for 0. */
  find(index: number): string | undefined
}

/** Each string is decoded when it is first asked for. */
export function decodeStrings(bytes: Buffer): StringTable {
  const reader = new ColumnReader(bytes)
  const count = reader.word()
  const ends = new Uint32Array(reader.column(count))
  let end = reader.at
  const start = end
  for (let index = 0; index < count; index++) ends[index] = end += ends[index] as number
  if (end > bytes.length) throw damaged('Strings are cut off.')
  const known: (string | undefined)[] = []
  known.length = count + 1
  return {
    byteLength: bytes.length + count * 12,
    find(index) {
      if (index === 0) return undefined
      const string = known[index]
      if (string !== undefined) return string
      if (index > count) throw damaged('A string is missing.')
      return (known[index] = bytes.toString('utf8', index === 1 ? start : ends[index - 2], ends[index - 1]))
    },
  }
}
