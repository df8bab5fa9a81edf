import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { ExtractBudget } from '../dsym/extract-budget.ts'
import type { IndexedImage } from '../dsym/index-images.ts'
import { buildLookup } from '../lookup/build-lookup.ts'
import { openFileBytes } from '../bytes/file-bytes.ts'
import { SymbolsError } from '../symbols-error.ts'
import { type ElfImage, readElfImage } from './read-elf-image.ts'
import type { ElfDetail } from './symbol-tables.ts'

export interface IndexedElfImage extends IndexedImage {
  /** The build id in hexadecimal; null if the file has none. */
  codeId: string | null
  detail: ElfDetail
}

const details: readonly ElfDetail[] = ['dwarf', 'symtab', 'minidebug', 'dynsym', 'none']

/** The rank of what a file says, the most first. */
export function toDetailRank(detail: ElfDetail): number {
  return details.indexOf(detail)
}

/**
 * Builds the lookup file of an ELF file in `outDir`. Of several files of one image in an upload, `known` keeps the one
 * that says most. If the debug information cannot be read at all, the symbol tables answer alone. Throws SymbolsError.
 */
export async function indexElf(
  path: string,
  name: string,
  outDir: string,
  budget: ExtractBudget,
  known: Map<string, IndexedElfImage>,
  problems: string[],
): Promise<void> {
  using source = openFileBytes(path)
  const prefix = `unpacked-${known.size}`
  try {
    const found: string[] = []
    using image = await readElfImage(source, outDir, prefix, budget, found)
    problems.push(...found.map((problem) => `${name}: ${problem}`))
    const { identity, code, detail, soname } = image
    const key = `${identity.debugId}-${code.architecture}`
    const before = known.get(key)
    if (before && toDetailRank(before.detail) <= toDetailRank(detail)) return
    const lookupFile = join(outDir, `${key.toLowerCase()}.lookup`)
    problems.push(...build(image, lookupFile).map((problem) => `${name}: ${problem}`))
    known.set(key, {
      name: name === '' ? (soname ?? 'image') : name,
      uuid: identity.debugId,
      codeId: identity.buildId,
      architecture: code.architecture,
      detail,
      lookupFile,
      lookupBytes: statSync(lookupFile).size,
    })
  } finally {
    for (const file of readdirSync(outDir)) if (file.startsWith(`${prefix}-`)) rmSync(join(outDir, file))
  }
}

function build({ code }: ElfImage, lookupFile: string): string[] {
  try {
    return buildLookup(code, lookupFile).problems
  } catch (error) {
    if (!(error instanceof SymbolsError)) throw error
    const { problems } = buildLookup({ ...code, findSection: () => undefined }, lookupFile)
    return [error.message, ...problems]
  }
}
