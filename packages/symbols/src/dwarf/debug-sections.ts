/** The sections of a Mach-O image that hold debug information, and budgets that bound the work of reading them. */
import type { FileBytes } from '../macho/file-bytes.ts'
import type { FileRange, MachOImage } from '../macho/image.ts'
import { type AbbreviationTable, parseAbbreviations, type UnitShape } from './abbreviations.ts'
import { PagedBytes } from './paged-bytes.ts'

/** Mach-O cuts section names after 16 bytes. */
const names = {
  info: '__debug_info',
  abbreviations: '__debug_abbrev',
  line: '__debug_line',
  strings: '__debug_str',
  lineStrings: '__debug_line_str',
  stringOffsets: '__debug_str_offs',
  addresses: '__debug_addr',
  ranges: '__debug_ranges',
  rangeLists: '__debug_rnglists',
  addressRanges: '__debug_aranges',
} as const

const maxWholeSection = 1024 * 1024 * 1024
const maxTables = 2000
/**
 * Bytes of abbreviations that may be parsed in one file. Many units with a small table each stay below it; many units
 * that each parse the whole section do not.
 */
const abbreviationBudget = 1 << 20

export interface DebugSections {
  source: FileBytes
  info: FileRange | undefined
  line: FileRange | undefined
  /** The section .debug_info, for reads at any offset. */
  entries: PagedBytes
  strings: PagedBytes
  lineStrings: PagedBytes
  stringOffsets: PagedBytes
  addresses: PagedBytes
  ranges: Uint8Array
  rangeLists: Uint8Array
  addressRanges: Uint8Array
  requireAbbreviations(offset: number, shape: UnitShape): AbbreviationTable | undefined
}

export function openDebugSections(source: FileBytes, image: MachOImage): DebugSections {
  const find = (name: string) =>
    image.sections.find((section) => section.name === name && section.segment === '__DWARF')?.range
  const readWhole = (name: string) => {
    const range = find(name)
    return range && range.size <= maxWholeSection ? source.read(range.offset, range.size) : new Uint8Array(0)
  }
  const abbreviations = readWhole(names.abbreviations)
  const tables = new Map<string, AbbreviationTable>()
  let parsed = 0

  return {
    source,
    info: find(names.info),
    line: find(names.line),
    entries: new PagedBytes(source, find(names.info)),
    strings: new PagedBytes(source, find(names.strings)),
    lineStrings: new PagedBytes(source, find(names.lineStrings)),
    stringOffsets: new PagedBytes(source, find(names.stringOffsets)),
    addresses: new PagedBytes(source, find(names.addresses)),
    ranges: readWhole(names.ranges),
    rangeLists: readWhole(names.rangeLists),
    addressRanges: readWhole(names.addressRanges),
    requireAbbreviations(offset, shape) {
      const key = `${offset} ${shape.addressSize} ${shape.version === 2}`
      const known = tables.get(key)
      if (known) return known
      if (offset >= abbreviations.length || parsed > abbreviationBudget) return undefined
      const table = parseAbbreviations(abbreviations, offset, shape)
      parsed += table.abbreviations.length
      if (tables.size >= maxTables) tables.clear()
      tables.set(key, table)
      return table
    },
  }
}
