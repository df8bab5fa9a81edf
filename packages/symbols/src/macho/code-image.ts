import type { DebugSectionName } from '../dwarf/debug-sections.ts'
import type { FilePart } from '../bytes/file-part.ts'
import type { CodeImage } from '../lookup/code-image.ts'
import { noSymbols } from '../lookup/symbol-ranges.ts'
import type { FileBytes } from '../bytes/file-bytes.ts'
import type { FileRange, MachOImage } from './image.ts'
import { readSymbols } from './symbol-table.ts'

/** Mach-O cuts section names after 16 bytes. */
const sectionNames: Record<DebugSectionName, string> = {
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
}

/** Reads the symbols of a Mach-O image and gives what a lookup file is built from. */
export function toCodeImage(source: FileBytes, image: MachOImage): CodeImage {
  const { architecture, uuid, textAddress, sections, symbolTable } = image
  const toPart = (range: FileRange | undefined): FilePart | undefined => range && { source, ...range }
  return {
    architecture,
    uuid,
    textAddress,
    codeRanges: undefined,
    findSection: (name) =>
      toPart(sections.find((section) => section.name === sectionNames[name] && section.segment === '__DWARF')?.range),
    symbols: symbolTable ? readSymbols(source, image, symbolTable) : noSymbols,
    symbolStrings: toPart(symbolTable?.strings),
    hasUnderscores: true,
    isDart: false,
    dart: { isolate: undefined, vm: undefined },
  }
}
