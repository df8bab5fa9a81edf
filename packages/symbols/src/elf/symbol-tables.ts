/** The symbol tables of an ELF file, and what they say about it. */
import type { ExtractBudget } from '../dsym/extract-budget.ts'
import type { DartCode } from '../lookup/code-image.ts'
import { SymbolsError } from '../symbols-error.ts'
import { type ElfFile, SectionType } from './elf-file.ts'
import { readMiniDebugInfo } from './mini-debug-info.ts'
import { findSymbolAddress, type SymbolTable } from './symbol-list.ts'

/**
 * What a file says about its code, the most first. Of several files with one build id, the one that says most answers.
 */
export type ElfDetail = 'dwarf' | 'symtab' | 'minidebug' | 'dynsym' | 'none'

export interface NamedTable extends SymbolTable {
  detail: Exclude<ElfDetail, 'dwarf' | 'none'>
}

/** The tables whose symbols count: `.symtab`, else `.dynsym` with what MiniDebugInfo adds to it. */
export function listSymbolTables(file: ElfFile, budget: ExtractBudget, problems: string[]): NamedTable[] {
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

export function toDetail(tables: readonly NamedTable[]): ElfDetail {
  for (const detail of ['symtab', 'minidebug', 'dynsym'] as const) {
    if (tables.some((table) => table.detail === detail)) return detail
  }
  return 'none'
}

/** Where a Dart snapshot has its code. */
export function findDartCode(file: ElfFile, textAddress: number): DartCode {
  const tables = [SectionType.symbols, SectionType.dynamicSymbols].flatMap(
    (type) => toTable(file, type, 'symtab', 0) ?? [],
  )
  const find = (name: string) => {
    for (const table of tables) {
      const address = findSymbolAddress(table, name)
      if (address !== undefined && address >= textAddress) return address - textAddress
    }
    return undefined
  }
  return { isolate: find('_kDartIsolateSnapshotInstructions'), vm: find('_kDartVmSnapshotInstructions') }
}

/** Bytes of the names of a symbol table that are searched. Those of a snapshot itself are among the first. */
const searchedBytes = 256 * 1024

/** Whether a file is a Dart snapshot. Some lack the symbols of their code, so the names that all have decide. */
export function isDartSnapshot(file: ElfFile): boolean {
  return [SectionType.symbols, SectionType.dynamicSymbols].some((type) => {
    const strings = toTable(file, type, 'symtab', 0)?.strings
    const names = strings?.source.read(strings.offset, Math.min(searchedBytes, strings.size)).toString('latin1') ?? ''
    return /(?:^|\0)(?:_kDart\w{1,60}Snapshot|_kDartSnapshot|Precompiled_)/.test(names)
  })
}
