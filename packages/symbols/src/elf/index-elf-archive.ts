/** Reads a zip archive of ELF files, in any folders, such as the `native-debug-symbols.zip` of the Android build. */
import { BinaryError, type ZipArchive, type ZipEntry } from '@fairlead/binary'
import { join } from 'node:path'
import { isLitter } from '../dsym/debug-entry.ts'
import type { ExtractBudget } from '../dsym/extract-budget.ts'
import { extractEntry } from '../dsym/extract.ts'
import { SymbolsError } from '../symbols-error.ts'
import { hasElfMagic } from './elf-file.ts'
import { type IndexedElfImage, indexElf } from './index-elf.ts'

const maxElfBytes = 8 * 2 ** 30
const maxElfFiles = 5000

/** Lists the entries that are ELF files by their first bytes. */
export async function listElfEntries(archive: ZipArchive): Promise<ZipEntry[]> {
  const found: ZipEntry[] = []
  for (const entry of archive.entries) {
    if (entry.name.endsWith('/') || isLitter(entry.name.split('/')) || !(await isElf(archive, entry))) continue
    found.push(entry)
    if (found.length > maxElfFiles) throw new SymbolsError('too-large', `It has more than ${maxElfFiles} ELF files.`)
  }
  return found
}

/** Indexes the entries. One that cannot be read is named in `problems`, and the others count. */
export async function indexElfEntries(
  archive: ZipArchive,
  entries: readonly ZipEntry[],
  outDir: string,
  budget: ExtractBudget,
  problems: string[],
): Promise<IndexedElfImage[]> {
  const images = new Map<string, IndexedElfImage>()
  const failures: SymbolsError[] = []
  for (const entry of entries) {
    try {
      using file = await extractEntry(archive, entry, join(outDir, 'extracted-elf'), budget.take(entry, maxElfBytes))
      await indexElf(file.path, entry.name.split('/').at(-1) ?? '', outDir, budget, images, problems)
    } catch (error) {
      if (!(error instanceof SymbolsError)) throw error
      failures.push(error)
      problems.push(`${entry.name.slice(0, 200)}: ${error.message}`)
    }
  }
  const [failure] = failures
  if (images.size === 0 && failure) throw failure
  return [...images.values()]
}

async function isElf(archive: ZipArchive, entry: ZipEntry): Promise<boolean> {
  try {
    for await (const chunk of archive.streamEntry(entry, maxElfBytes)) return hasElfMagic(chunk)
    return false
  } catch (error) {
    if (error instanceof BinaryError) return false
    throw error
  }
}
