/** Where in the text of a class the lines of its members stand, so that those of one name are found at once. */
import { hashName, hashText } from './index-format.ts'
import { NumberList } from './number-list.ts'

/**
 * Three numbers for each line that is no comment, all first ones before all second ones: where it starts, where it
 * ends, and the hash of its renamed name, which is what stands behind its last space or arrow.
 */
export type MemberTable = Uint32Array

/** Lines of one renamed name, as their numbers among the lines of the class. */
export function findMemberLines(table: MemberTable, renamed: string): number[] {
  const hash = hashMember(renamed)
  const count = table.length / 3
  const numbers: number[] = []
  for (let number = 0; number < count; number++) if (table[2 * count + number] === hash) numbers.push(number)
  return numbers
}

const newline = 0x0a

/** Reads the places from `text`, whose first line is that of the class. */
export function createMemberTable(text: Buffer): MemberTable {
  const starts = new NumberList(64)
  const ends = new NumberList(64)
  const hashes = new NumberList(64)
  let end = text.indexOf(newline)
  while (end !== -1 && end + 1 < text.length) {
    const start = end + 1
    end = text.indexOf(newline, start)
    const lineEnd = end === -1 ? text.length : end
    let first = start
    while (first < lineEnd && isBlank(text[first])) first++
    if (first === lineEnd || text[first] === 0x23) continue
    let name = lineEnd
    while (name > first && !isBlank(text[name - 1]) && text[name - 1] !== 0x3e) name--
    starts.push(start)
    ends.push(lineEnd)
    hashes.push(hashName(text, name, lineEnd))
  }
  const table = new Uint32Array(3 * starts.length)
  table.set(starts.toArray())
  table.set(ends.toArray(), starts.length)
  table.set(hashes.toArray(), 2 * starts.length)
  return table
}

/** The hash that the lines of that renamed name have in the table. `<init>` ends as an arrow does: it is that of nothing. */
function hashMember(renamed: string): number {
  return hashText(renamed.slice(renamed.lastIndexOf('>') + 1))
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09
}
