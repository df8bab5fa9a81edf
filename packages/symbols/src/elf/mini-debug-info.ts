import type { ExtractBudget } from '../dsym/extract-budget.ts'
import { decodeXz } from '../xz/decode-xz.ts'
import { type ElfFile, malformed, readElfFile } from './elf-file.ts'
import { openMemory } from '../bytes/memory-bytes.ts'

/** Bytes that the section may unpack to. It is held in memory, because it is small in real files. */
const maxUnpackedBytes = 64 * 2 ** 20
const maxPackedBytes = 64 * 2 ** 20

/**
 * Reads `.gnu_debugdata` (MiniDebugInfo): an ELF file, compressed as xz, with the symbols that `.dynsym` lacks.
 * undefined if there is none. Throws `malformed-elf`, `too-large`.
 */
export function readMiniDebugInfo({ sections }: ElfFile, budget: ExtractBudget): ElfFile | undefined {
  const part = sections.find(({ name }) => name === '.gnu_debugdata')?.part
  if (!part) return undefined
  if (part.size > maxPackedBytes) throw malformed(`It has more than ${maxPackedBytes} bytes.`)
  const bytes = decodeXz(part.source.read(part.offset, part.size), budget.limit(maxUnpackedBytes))
  budget.take({ uncompressedSize: bytes.length }, maxUnpackedBytes)
  return readElfFile(openMemory(bytes))
}
