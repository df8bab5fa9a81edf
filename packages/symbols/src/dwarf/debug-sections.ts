/** The sections of an image that hold debug information, and budgets that bound the work of reading them. */
import { type AbbreviationTable, parseAbbreviations, type UnitShape } from './abbreviations.ts'
import type { FilePart } from '../bytes/file-part.ts'
import { PagedBytes } from './paged-bytes.ts'

/** The sections by their purpose; each file format has its own names for them. */
export type DebugSectionName =
  | 'info'
  | 'abbreviations'
  | 'line'
  | 'strings'
  | 'lineStrings'
  | 'stringOffsets'
  | 'addresses'
  | 'ranges'
  | 'rangeLists'
  | 'addressRanges'

/** Finds a section; undefined if the file does not hold its bytes. */
export type FindSection = (name: DebugSectionName) => FilePart | undefined

const maxWholeSection = 1024 * 1024 * 1024
const maxTables = 2000
/**
 * Bytes of abbreviations that may be parsed in one file. Many units with a small table each stay below it; many units
 * that each parse the whole section do not.
 */
const abbreviationBudget = 1 << 20

export interface DebugSections {
  info: FilePart | undefined
  line: FilePart | undefined
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

export function openDebugSections(find: FindSection): DebugSections {
  const readWhole = (name: DebugSectionName) => {
    const part = find(name)
    return part && part.size <= maxWholeSection ? part.source.read(part.offset, part.size) : new Uint8Array(0)
  }
  const abbreviations = readWhole('abbreviations')
  const tables = new Map<string, AbbreviationTable>()
  let parsed = 0

  return {
    info: find('info'),
    line: find('line'),
    entries: new PagedBytes(find('info')),
    strings: new PagedBytes(find('strings')),
    lineStrings: new PagedBytes(find('lineStrings')),
    stringOffsets: new PagedBytes(find('stringOffsets')),
    addresses: new PagedBytes(find('addresses')),
    ranges: readWhole('ranges'),
    rangeLists: readWhole('rangeLists'),
    addressRanges: readWhole('addressRanges'),
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
