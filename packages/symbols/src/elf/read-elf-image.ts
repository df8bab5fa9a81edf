/** Reads what a lookup file of an ELF image is built from. */
import { join } from 'node:path'
import type { CodeRange } from '../dwarf/code-place.ts'
import type { DebugSectionName } from '../dwarf/debug-sections.ts'
import type { FilePart } from '../bytes/file-part.ts'
import type { ExtractBudget } from '../dsym/extract-budget.ts'
import { Disposables } from '../disposables.ts'
import type { CodeImage, DartCode } from '../lookup/code-image.ts'
import { noSymbols } from '../lookup/symbol-ranges.ts'
import type { FileBytes } from '../bytes/file-bytes.ts'
import { SymbolsError } from '../symbols-error.ts'
import { toArchitecture } from './architecture.ts'
import { type ElfFile, readElfFile, SectionFlag, SectionType, SegmentType } from './elf-file.ts'
import { type ElfIdentity, findIdentity } from './identity.ts'
import { joinParts } from '../bytes/join-parts.ts'
import { readMiniDebugInfo } from './mini-debug-info.ts'
import { readSoname } from './soname.ts'
import { findSymbolAddress, SymbolList, type SymbolTable } from './symbol-list.ts'
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

/**
 * What a file says about its code, the most first. Of several files with one build id, the one that says most answers.
 */
export type ElfDetail = 'dwarf' | 'symtab' | 'minidebug' | 'dynsym' | 'none'

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
  const dart = findDartCode(tables, textAddress)
  const isDart = dart.isolate !== undefined || dart.vm !== undefined
  const list = new SymbolList()
  for (const table of tables) list.read(table)
  const hasDwarf = parts.has('info') && parts.has('abbreviations')
  const kept = opened.move()
  return {
    identity,
    soname: readSoname(file),
    detail: hasDwarf ? 'dwarf' : toDetail(tables),
    code: {
      ...place,
      architecture: toArchitecture(file.machine),
      uuid: identity.debugId,
      findSection: (name) => parts.get(name),
      // The symbols of a Dart snapshot have made-up names; those in the debug information are the functions' own.
      symbols: list.isEmpty || (isDart && hasDwarf) ? noSymbols : list.toRanges(place),
      symbolStrings: joinParts(tables.map(({ strings }) => strings)),
      hasUnderscores: false,
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

interface NamedTable extends SymbolTable {
  detail: Exclude<ElfDetail, 'dwarf' | 'none'>
}

/** The tables whose symbols count: `.symtab`, else `.dynsym` with what MiniDebugInfo adds to it. */
function listSymbolTables(file: ElfFile, budget: ExtractBudget, problems: string[]): NamedTable[] {
  const full = toTable(file, SectionType.symbols, 'symtab', 0)
  if (full) return [full]
  const dynamic = toTable(file, SectionType.dynamicSymbols, 'dynsym', 0)
  const tables = dynamic ? [dynamic] : []
  try {
    const mini = readMiniDebugInfo(file, budget)
    const table = mini && toTable(mini, SectionType.symbols, 'minidebug', dynamic?.strings.size ?? 0)
    if (table) tables.push(table)
  } catch (error) {
    if (!(error instanceof SymbolsError)) throw error
    problems.push(`The section .gnu_debugdata was left out. ${error.message}`)
  }
  return tables
}

function toTable(
  { sections, machine, is64 }: ElfFile,
  type: number,
  detail: NamedTable['detail'],
  stringsAt: number,
): NamedTable | undefined {
  const section = sections.find((section) => section.type === type && section.part !== undefined)
  const strings = section && sections[section.link]
  if (!section?.part || strings?.type !== SectionType.strings || !strings.part) return undefined
  if (stringsAt + strings.part.size > 0xffffffff) return undefined
  return { detail, symbols: section.part, strings: strings.part, sections, machine, is64, stringsAt }
}

function toDetail(tables: readonly NamedTable[]): ElfDetail {
  for (const detail of ['symtab', 'minidebug', 'dynsym'] as const) {
    if (tables.some((table) => table.detail === detail)) return detail
  }
  return 'none'
}

function findDartCode(tables: readonly SymbolTable[], textAddress: number): DartCode {
  const find = (name: string) => {
    for (const table of tables) {
      const address = findSymbolAddress(table, name)
      if (address !== undefined && address >= textAddress) return address - textAddress
    }
    return undefined
  }
  return { isolate: find('_kDartIsolateSnapshotInstructions'), vm: find('_kDartVmSnapshotInstructions') }
}
