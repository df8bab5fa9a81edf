/** Compares lookups of ELF files with recorded answers of llvm-symbolizer for the shared fixtures. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { describe, it } from 'node:test'
import { findFixtures } from '../../test/fixtures.ts'
import { createFolder } from '../../test/temporary-folder.ts'
import { ExtractBudget } from '../dsym/extract-budget.ts'
import { openLookup } from '../lookup/lookup.ts'
import { type IndexedElfImage, indexElf } from './index-elf.ts'

type IndexedFrame = [name: number, file: number, line: number, column: number]

interface TruthImage {
  file: string
  buildId: string | null
  debugId: string | null
  asked: string | null
  functions: string[][]
  files: string[]
  addresses: [address: string, frames: IndexedFrame[]][]
}

const fixtures = findFixtures('native')

describe('lookups of ELF files agree with llvm-symbolizer', { skip: fixtures === undefined }, () => {
  const root = fixtures ?? ''
  const truth: { images: TruthImage[] } = fixtures
    ? JSON.parse(readFileSync(join(root, 'elf-truth.json'), 'utf8'))
    : { images: [] }
  for (const image of truth.images) {
    const asked = image.asked?.endsWith('.debug') === true ? `elf/${image.asked}` : image.file
    it(`at ${image.addresses.length} addresses of ${basename(image.file)}`, async () => {
      using folder = createFolder()
      const outDir = join(folder.path, 'out')
      await mkdir(outDir)
      const known = new Map<string, IndexedElfImage>()
      const path = join(root, asked)
      await indexElf(path, basename(path), outDir, new ExtractBudget(readFileSync(path).length), known, [])
      const [indexed] = known.values()
      assert.ok(indexed)
      assert.equal(indexed.codeId, image.buildId)
      if (image.debugId !== null) assert.equal(indexed.uuid.toLowerCase(), image.debugId)
      using lookup = openLookup(indexed.lookupFile, { names: 'full' })
      const wrong: unknown[] = []
      for (const [address, frames] of image.addresses) {
        const found = lookup
          .findFrames(Number(address) - lookup.textAddress)
          .map((frame) => [frame.function ?? '', basename(frame.file ?? ''), frame.line ?? 0, frame.column ?? 0])
        const expected = frames.map(([name, file, line, column]) => [
          image.functions[name]?.[0] ?? '',
          basename(image.files[file] ?? ''),
          line,
          column,
        ])
        if (JSON.stringify(found) !== JSON.stringify(expected)) wrong.push({ address, found, expected })
      }
      assert.deepEqual(wrong.slice(0, 5), [], `${wrong.length} of ${image.addresses.length} addresses differ`)
    })
  }
})
