/**
 * The header of a line number program in .debug_line:
 *   length (4) · version (2) · version 5: address size (1), segment selector size (1) · length of the rest of the
 *     header (4)
 *   shortest instruction (1) · version 4 and later: operations per instruction (1) · default is_stmt (1) · line base
 *     (1, signed)
 *   line range (1) · opcode base (1) · operands of each standard opcode (1 each) · directories · files
 * Versions 2 to 4 list directories and files as strings until an empty one; files are numbered from 1, directory 0 is
 * the compilation's. Version 5 describes the fields of an entry (kind and form), then gives the entries; both are
 * numbered from 0.
 */
import { Form } from './constants.ts'
import { Cursor } from './cursor.ts'
import type { DebugSections } from './debug-sections.ts'
import type { Unit } from './unit.ts'
import { readValue, type Value } from './value.ts'

const maxEntries = 1 << 20
const longestPath = 4096

/** A string, given by its place; it is decoded only when it is asked for. */
interface FileEntry {
  name: Value
  directory: number
}

export interface LineHeader {
  version: number
  minimumLength: number
  lineBase: number
  lineRange: number
  opcodeBase: number
  operandCounts: Uint8Array
  directories: Value[]
  files: FileEntry[]
  /** The bytes of this program with its header, and the offset in them at which its instructions start. */
  bytes: Uint8Array
  programStart: number
}

/** Reads the header of a unit's line program; undefined if the unit has none or it is malformed. */
export function readLineHeader(sections: DebugSections, unit: Unit): LineHeader | undefined {
  const { line } = sections
  if (!line || unit.statementList < 0 || unit.statementList + 4 > line.size) return undefined
  const length = line.source.read(line.offset + unit.statementList, 4).readUInt32LE(0)
  if (length >= 0xfffffff0 || unit.statementList + 4 + length > line.size) return undefined
  const bytes = line.source.read(line.offset + unit.statementList, 4 + length)
  return parseLineHeader(bytes, unit)
}

function parseLineHeader(bytes: Uint8Array, unit: Unit): LineHeader | undefined {
  const cursor = new Cursor(bytes, 4)
  const version = cursor.u16()
  if (version < 2 || version > 5) return undefined
  if (version === 5) cursor.skip(2)
  const headerLength = cursor.u32()
  const programStart = cursor.at + headerLength
  if (cursor.failed || programStart > bytes.length) return undefined
  cursor.end = programStart
  const minimumLength = cursor.u8()
  if (version >= 4) cursor.skip(1)
  cursor.skip(1)
  const lineBase = (cursor.u8() << 24) >> 24
  const lineRange = cursor.u8()
  const opcodeBase = cursor.u8()
  const operandCounts = bytes.subarray(cursor.at, cursor.at + Math.max(0, opcodeBase - 1))
  cursor.skip(operandCounts.length)
  const header = { version, minimumLength, lineBase, lineRange, opcodeBase, operandCounts, bytes, programStart }
  const lists = version === 5 ? readLists(cursor, unit) : readOldLists(cursor)
  return { ...header, ...lists }
}

type Lists = Pick<LineHeader, 'directories' | 'files'>

function readOldLists(cursor: Cursor): Lists {
  const directories: Value[] = []
  const files: FileEntry[] = []
  while (directories.length < maxEntries && isString(cursor)) {
    directories.push({ kind: 'inlineString', number: cursor.skipString() })
  }
  cursor.skip(1)
  while (files.length < maxEntries && isString(cursor)) files.push(readFileEntry(cursor))
  return { directories, files }
}

function isString(cursor: Cursor): boolean {
  return cursor.at < cursor.end && cursor.bytes[cursor.at] !== 0
}

/** Reads a file entry of versions 2 to 4, which stands in the header or in an instruction. */
export function readFileEntry(cursor: Cursor): FileEntry {
  const name: Value = { kind: 'inlineString', number: cursor.skipString() }
  const directory = cursor.uleb()
  cursor.uleb()
  cursor.uleb()
  return { name, directory }
}

function readLists(cursor: Cursor, unit: Unit): Lists {
  const directories = readEntries(cursor, unit).map(({ name }) => name)
  return { directories, files: readEntries(cursor, unit) }
}

function readEntries(cursor: Cursor, unit: Unit): FileEntry[] {
  const fields = Array.from({ length: cursor.u8() }, () => ({ content: cursor.uleb(), form: cursor.uleb() }))
  const count = cursor.uleb()
  const entries: FileEntry[] = []
  const shape = { addressSize: unit.addressSize, version: 5 }
  while (entries.length < Math.min(count, maxEntries) && cursor.at < cursor.end) {
    const entry: FileEntry = { name: { kind: 'other', number: 0 }, directory: 0 }
    for (const { content, form } of fields) {
      const value = readValue(cursor, form, shape)
      if (content === 1) entry.name = value
      if (content === 2 && form !== Form.data16) entry.directory = value.number
    }
    if (cursor.failed) break
    entries.push(entry)
  }
  return entries
}

/**
 * The path of a file by its index, relative to the compilation directory if the program says it so; undefined if there
 * is no such file. It equals the answer of LLVM's symbolizer with `--relativenames`.
 */
export function findPath(sections: DebugSections, unit: Unit, header: LineHeader, index: number): string | undefined {
  const entry = header.files[header.version === 5 ? index : index - 1]
  const name = entry && readPath(sections, unit, header, entry.name)
  if (entry === undefined || name === undefined) return undefined
  if (isAbsolute(name)) return name
  const { directory } = entry
  const place = header.version === 5 ? (directory > 0 ? directory : -1) : directory - 1
  const value = header.directories[place]
  const folder = value && readPath(sections, unit, header, value)
  if (!folder) return name
  return folder.endsWith('/') ? folder + name : `${folder}/${name}`
}

function isAbsolute(path: string): boolean {
  return path.startsWith('/') || /^[A-Za-z]:[\\/]|^\\/.test(path)
}

function readPath(sections: DebugSections, unit: Unit, header: LineHeader, value: Value): string | undefined {
  switch (value.kind) {
    case 'inlineString': {
      const end = header.bytes.indexOf(0, value.number)
      return end < 0
        ? undefined
        : Buffer.from(header.bytes.subarray(value.number, Math.min(end, value.number + longestPath))).toString()
    }
    case 'lineString':
      return sections.lineStrings.readText(value.number, longestPath)
    case 'string':
      return sections.strings.readText(value.number, longestPath)
    case 'stringIndex': {
      const place = sections.stringOffsets.readNumber(unit.stringOffsetsBase + value.number * 4, 4)
      return place === undefined ? undefined : sections.strings.readText(place, longestPath)
    }
    case 'address':
    case 'addressIndex':
    case 'constant':
    case 'other':
    case 'rangeListIndex':
    case 'sectionOffset':
    case 'sectionReference':
    case 'unitReference':
      return undefined
    default:
      return value.kind satisfies never
  }
}
