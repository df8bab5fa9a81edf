/**
 * Reads the symbol tables of an ELF file as ranges that never overlap. A record has 16 bytes, or 24 in 64-bit files:
 *   32-bit: 0 name · 4 address · 8 size · 12 type and binding · 14 section
 *   64-bit: 0 name · 4 type and binding · 6 section · 8 address (64) · 16 size (64)
 *
 * A symbol of size 0 reaches to the next one. If several have one address, the one with the largest size counts, and of
 * those the last. A symbol ends where the next one starts. LLVM's symbolizer does the same, so both give the same name.
 */
import { outOfRange } from '@fairlead/invariant'
import type { FilePart } from '../bytes/file-part.ts'
import { clipToCode, type CodePlace } from '../dwarf/code-place.ts'
import type { SymbolRanges } from '../lookup/symbol-ranges.ts'
import { arm64Machine, armMachine, riscvMachine } from './architecture.ts'
import type { ElfSection } from './elf-file.ts'
import { SectionFlag } from './elf-file.ts'
import { sortByValue } from '../sorted/sort-by-value.ts'
import { RecordBytes } from './record-bytes.ts'

const SymbolType = { none: 0, object: 1, function: 2, file: 4, indirectFunction: 10 } as const
const localBinding = 0
/** Beyond this many symbols further ones are left out. The largest libraries have some millions. */
const maxSymbols = 16 * 1024 * 1024
const pieceBytes = 1024 * 1024

/** A table of symbols and where its names begin in the strings of all tables together. */
export interface SymbolTable {
  symbols: FilePart
  strings: FilePart
  /** The sections of the file that the table is from, and its machine. */
  sections: readonly ElfSection[]
  machine: number
  is64: boolean
  /** Offset of this table's strings in the strings of all tables. */
  stringsAt: number
}

/** Symbols as columns, until they are sorted. */
export class SymbolList {
  #count = 0
  #address = new Float64Array(1024)
  #size = new Float64Array(1024)
  #name = new Uint32Array(1024)
  #file = new Uint32Array(1024)

  get isEmpty(): boolean {
    return this.#count === 0
  }

  /** Adds the symbols of a table that have an address in memory. */
  read(table: SymbolTable): void {
    const { symbols, is64 } = table
    const length = is64 ? 24 : 16
    const piece = Math.floor(pieceBytes / length) * length
    let file = 0
    for (let at = 0; at + length <= symbols.size; at += piece) {
      const bytes = symbols.source.read(symbols.offset + at, Math.min(piece, symbols.size - at))
      const record = new RecordBytes(bytes, is64)
      for (let start = 0; start + length <= bytes.length; start += length) {
        const info = record.u8(start + (is64 ? 4 : 12))
        const name = record.u32(start)
        if ((info & 0xf) === SymbolType.file) {
          file = name === 0 || name >= table.strings.size ? 0 : table.stringsAt + name
          continue
        }
        if (name === 0 || name >= table.strings.size || this.#count >= maxSymbols) continue
        const section = record.u16(start + (is64 ? 6 : 14))
        if (!isCounted(table, section, info & 0xf) || isMark(table, name)) continue
        const address = record.word(start + 4, start + 8)
        this.#push(
          table.machine === armMachine && (info & 0xf) === SymbolType.function ? address - (address % 2) : address,
          record.word(start + 8, start + 16),
          table.stringsAt + name,
          info >> 4 === localBinding ? file : 0,
        )
      }
    }
  }

  /** The ranges that the symbols cover in the code of an image. */
  toRanges(place: CodePlace): SymbolRanges {
    const offsets = new Uint32Array(this.#count)
    const inReach = new Uint32Array(this.#count)
    let count = 0
    for (let index = 0; index < this.#count; index++) {
      const offset = (this.#address[index] ?? outOfRange()) - place.textAddress
      if (!(offset >= 0 && offset < 0xffffffff)) continue
      inReach[count] = index
      offsets[count++] = offset
    }
    const order = sortByValue(offsets, count)
    const [starts, ends, names, files]: [number[], number[], number[], number[]] = [[], [], [], []]
    for (let at = 0; at < order.length;) {
      const start = offsets[order[at] ?? outOfRange()] ?? outOfRange()
      let largest = -1
      let size = 0
      for (; at < order.length && offsets[order[at] ?? outOfRange()] === start; at++) {
        const index = inReach[order[at] ?? outOfRange()] ?? outOfRange()
        if (largest >= 0 && (this.#size[index] ?? outOfRange()) < size) continue
        largest = index
        size = this.#size[index] ?? outOfRange()
      }
      const next = at < order.length ? (offsets[order[at] ?? outOfRange()] ?? outOfRange()) : 0xffffffff
      for (const range of clipToCode(place, { low: start, high: size === 0 ? next : Math.min(next, start + size) })) {
        starts.push(range.low)
        ends.push(range.high)
        names.push(this.#name[largest] ?? outOfRange())
        files.push(this.#file[largest] ?? outOfRange())
      }
    }
    return {
      count: starts.length,
      start: Uint32Array.from(starts),
      end: Uint32Array.from(ends),
      name: Uint32Array.from(names),
      file: Uint32Array.from(files),
    }
  }

  #push(address: number, size: number, name: number, file: number): void {
    if (this.#count === this.#address.length) this.#grow()
    const index = this.#count++
    this.#address[index] = address
    this.#size[index] = size
    this.#name[index] = name
    this.#file[index] = file
  }

  #grow(): void {
    const capacity = this.#count * 2
    const [address, size] = [new Float64Array(capacity), new Float64Array(capacity)]
    const [name, file] = [new Uint32Array(capacity), new Uint32Array(capacity)]
    address.set(this.#address)
    size.set(this.#size)
    name.set(this.#name)
    file.set(this.#file)
    this.#address = address
    this.#size = size
    this.#name = name
    this.#file = file
  }
}

/** Whether a symbol is a function, data or a label in a section that is in memory at run time. */
function isCounted({ sections }: SymbolTable, section: number, type: number): boolean {
  if (
    type !== SymbolType.none &&
    type !== SymbolType.object &&
    type !== SymbolType.function &&
    type !== SymbolType.indirectFunction
  ) {
    return false
  }
  if (section === 0 || section >= 0xff00) return false
  // Without section headers nothing is known about the section, and the symbol counts.
  return sections.length === 0 || ((sections[section]?.flags ?? 0) & SectionFlag.allocated) !== 0
}

/** Whether a name is a mapping symbol, which marks the kind of code that follows and is no function. */
function isMark({ strings, machine }: SymbolTable, name: number): boolean {
  if (machine !== armMachine && machine !== arm64Machine && machine !== riscvMachine) return false
  const start = readTwoBytes(strings, name)
  if (start === '$d') return true
  return machine === armMachine ? start === '$a' || start === '$t' : start === '$x'
}

const pages = new WeakMap<FilePart, { at: number; bytes: Buffer }>()
const pageBytes = 256 * 1024

/** The first two characters of a name; names are read in pages, because tables list them in order. */
function readTwoBytes(strings: FilePart, name: number): string {
  let page = pages.get(strings)
  if (!page || name < page.at || name + 2 > page.at + page.bytes.length) {
    page = { at: name, bytes: strings.source.read(strings.offset + name, Math.min(pageBytes, strings.size - name)) }
    pages.set(strings, page)
  }
  return page.bytes.toString('latin1', name - page.at, name - page.at + 2)
}

/** The address of a symbol that is looked for by its name; undefined if the table does not have it. */
export function findSymbolAddress({ symbols, strings, is64 }: SymbolTable, wanted: string): number | undefined {
  const place = findString(strings, wanted)
  if (place === undefined) return undefined
  const length = is64 ? 24 : 16
  const piece = Math.floor(pieceBytes / length) * length
  for (let at = 0; at + length <= symbols.size; at += piece) {
    const bytes = symbols.source.read(symbols.offset + at, Math.min(piece, symbols.size - at))
    const record = new RecordBytes(bytes, is64)
    for (let start = 0; start + length <= bytes.length; start += length) {
      if (record.u32(start) === place) return record.word(start + 4, start + 8)
    }
  }
  return undefined
}

/** Where a string begins in a table of strings. */
function findString({ source, offset, size }: FilePart, wanted: string): number | undefined {
  const bytes = Buffer.from(`\0${wanted}\0`)
  for (let at = 0; at < size; at += pieceBytes) {
    const piece = source.read(offset + at, Math.min(pieceBytes + bytes.length, size - at))
    const found = piece.indexOf(bytes)
    if (found >= 0) return at + found + 1
  }
  return undefined
}
