import { openFileBytes } from '../bytes/file-bytes.ts'
import { SymbolsError } from '../symbols-error.ts'
import { toArchitecture } from './architecture.ts'
import { type ElfFile, hasElfMagic, readElfFile, SectionType } from './elf-file.ts'
import { findIdentity } from './identity.ts'
import { type ElfDetail, isDartSnapshot } from './symbol-tables.ts'

/** What a file says of itself, by its tables alone: little of it is read and nothing is unpacked. */
export interface DescribedElf {
  /** Upper case with dashes. */
  debugId: string
  /** In hexadecimal; null if the file has none. */
  buildId: string | null
  architecture: string
  detail: ElfDetail
  isDart: boolean
  /** Bytes of the file. */
  size: number
}

/** Undefined for a file that is not ELF, that is damaged, or that has neither a build id nor code. */
export function describeElf(path: string): DescribedElf | undefined {
  using source = openFileBytes(path)
  if (!hasElfMagic(source.read(0, Math.min(4, source.size)))) return undefined
  try {
    const file = readElfFile(source)
    const identity = findIdentity(file, [])
    if (!identity) return undefined
    const { debugId, buildId } = identity
    const architecture = toArchitecture(file.machine)
    return { debugId, buildId, architecture, detail: findDetail(file), isDart: isDartSnapshot(file), size: source.size }
  } catch (error) {
    if (error instanceof SymbolsError) return undefined
    throw error
  }
}

function findDetail({ sections }: ElfFile): ElfDetail {
  const has = (...names: string[]) => sections.some(({ name, part }) => part !== undefined && names.includes(name))
  if (has('.debug_info', '.zdebug_info')) return 'dwarf'
  if (sections.some(({ type, part }) => type === SectionType.symbols && part !== undefined)) return 'symtab'
  if (has('.gnu_debugdata')) return 'minidebug'
  return sections.some(({ type }) => type === SectionType.dynamicSymbols) ? 'dynsym' : 'none'
}
