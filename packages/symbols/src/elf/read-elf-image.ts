/** Reads what a lookup file of an ELF image is built from. */
import { join } from 'node:path'
import type { CodeRange } from '../dwarf/code-place.ts'
import type { DebugSectionName } from '../dwarf/debug-sections.ts'
import type { FilePart } from '../bytes/file-part.ts'
import type { ExtractBudget } from '../dsym/extract-budget.ts'
import { Disposables } from '../disposables.ts'
import type { CodeImage } from '../lookup/code-image.ts'
import { noSymbols } from '../lookup/symbol-ranges.ts'
import type { FileBytes } from '../bytes/file-bytes.ts'
import { SymbolsError } from '../symbols-error.ts'
import { toArchitecture } from './architecture.ts'
import { type ElfFile, readElfFile, SectionFlag, SegmentType } from './elf-file.ts'
import { type ElfIdentity, findIdentity } from './identity.ts'
import { joinParts } from '../bytes/join-parts.ts'
import { readSoname } from './soname.ts'
import { SymbolList } from './symbol-list.ts'
import { type ElfDetail, findDartCode, isDartSnapshot, listSymbolTables, toDetail } from './symbol-tables.ts'
import { isCompressed, unpackSection } from './unpack-section.ts'

const sectionNames: Record<DebugSectionName, string> = {
  info: 'debug_info',
  abbreviations: 'debug_abbrev',
  line: 'debug_line',
  strings: 'debug_str',
  lineStrings: 'debug_line_str',
  stringOffsets: 'debug_str_offsets',
  addresses: 'debug_addr',
  ranges: 'debug_ranges',
  rangeLists: 'debug_rnglists',
  addressRanges: 'debug_aranges',
}

const pageBytes = 4096

export interface ElfImage extends Disposable {
  identity: ElfIdentity
  /** The name that the library gives itself; null if it has none. */
  soname: string | null
  detail: ElfDetail
  code: CodeImage
}

/**
 * Reads an ELF file. Compressed sections are unpacked into `folder` under names that begin with `prefix`. Throws
 * `malformed-elf`, `no-build-id`.
 */
export async function readElfImage(
  source: FileBytes,
  folder: string,
  prefix: string,
  budget: ExtractBudget,
  problems: string[],
): Promise<ElfImage> {
  const file = readElfFile(source)
  const identity = findIdentity(file, problems)
  if (!identity) throw new SymbolsError('no-build-id', 'It has no build id and no code.')
  using opened = new Disposables()
  const parts = new Map<DebugSectionName, FilePart>()
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its own keys are the names
  for (const [name, elfName] of Object.entries(sectionNames) as [DebugSectionName, string][]) {
    const section = file.sections.find(({ name }) => name === `.${elfName}` || name === `.z${elfName}`)
    if (!section?.part) continue
    if (!isCompressed(section)) {
      parts.set(name, section.part)
      continue
    }
    try {
      parts.set(
        name,
        opened.use(await unpackSection(section, file.is64, join(folder, `${prefix}-${name}.part`), budget)),
      )
    } catch (error) {
      if (!(error instanceof SymbolsError)) throw error
      problems.push(`The section ${section.name} was left out. ${error.message}`)
    }
  }
  const textAddress = findTextAddress(file)
  const place = { textAddress, codeRanges: listCodeRanges(file, textAddress) }
  const tables = listSymbolTables(file, budget, problems)
  const dart = findDartCode(file, textAddress)
  const isDart = isDartSnapshot(file)
  const list = new SymbolList()
  for (const table of tables) list.read(table)
  const hasDwarf = parts.has('info') && parts.has('abbreviations')
  const kept = opened.move()
  return {
    identity,
    soname: readSoname(file),
    detail: hasDwarf ? 'dwarf' : isDart ? 'none' : toDetail(tables),
    code: {
      ...place,
      architecture: toArchitecture(file.machine),
      uuid: identity.debugId,
      findSection: (name) => parts.get(name),
      // The symbols of a Dart snapshot have made-up names; only those in the debug information are the functions' own.
      symbols: list.isEmpty || isDart ? noSymbols : list.toRanges(place),
      symbolStrings: joinParts(tables.map(({ strings }) => strings)),
      hasUnderscores: false,
      isDart,
      dart,
    },
    [Symbol.dispose]: () => kept[Symbol.dispose](),
  }
}

/**
 * The address that offsets in the image count from: that of the first segment in memory, at the start of its page. It
 * is the load bias of an image that is linked to another address than 0.
 */
function findTextAddress({ segments }: ElfFile): number {
  const loads = segments.filter(({ type }) => type === SegmentType.load).map(({ address }) => address)
  if (loads.length === 0) return 0
  const first = Math.min(...loads)
  return first - (first % pageBytes)
}

/** The ranges of executable sections, or of executable segments if no section says. */
function listCodeRanges({ sections, segments }: ElfFile, textAddress: number): CodeRange[] {
  const executable = sections
    .filter(({ flags, size }) => (flags & SectionFlag.executable) !== 0 && size > 0)
    .map(({ address, size }) => ({ low: address - textAddress, high: address - textAddress + size }))
  const ranges =
    executable.length > 0
      ? executable
      : segments
          .filter(({ type, isExecutable }) => type === SegmentType.load && isExecutable)
          .map(({ address, memorySize }) => ({ low: address - textAddress, high: address - textAddress + memorySize }))
  const sorted = ranges.filter(({ low, high }) => low >= 0 && low < high).sort((a, b) => a.low - b.low)
  const joined: CodeRange[] = []
  for (const { low, high } of sorted) {
    const last = joined.at(-1)
    if (last && low <= last.high) last.high = Math.max(last.high, high)
    else joined.push({ low, high })
  }
  return joined.slice(0, maxCodeRanges)
}

/** Executable sections that are not neighbours. Real files have some; each address is compared with all. */
const maxCodeRanges = 64
