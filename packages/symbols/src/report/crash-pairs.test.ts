/** Compares crash reports of the shared fixtures with their expected frames, which come from llvm-symbolizer. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { symbolicate } from '../index.ts'
import { readSymbols } from '../read-symbols.ts'
import type { SymbolicatedThread } from '../symbolicated.ts'
import { findFixtures } from '../../test/fixtures.ts'
import { createFolder } from '../../test/temporary-folder.ts'

interface ExpectedFrame {
  image: string
  kept?: string
  inline?: { function: string; file: string; line: number; column: number }[]
}

interface Expected {
  threads?: ExpectedFrame[][]
  lastExceptionBacktrace?: ExpectedFrame[]
}

const fixtures = findFixtures()
const made = join(fixtures ?? '', 'made')
const folder = createFolder()
process.on('exit', () => folder[Symbol.dispose]())

function assertThread(
  thread: SymbolicatedThread | undefined,
  expected: readonly ExpectedFrame[],
  hasSymbols: boolean,
): void {
  const frames = thread?.frames ?? []
  let at = 0
  for (const { image, kept, inline = [] } of expected) {
    const part = frames.slice(at, at + Math.max(1, inline.length))
    at += part.length
    assert.equal(part[0]?.module, image)
    if (kept !== undefined) {
      // A backtrace that lists only addresses has no names for the frames of system images.
      assert.equal(part[0]?.function, hasSymbols ? kept.replace(/ \+ \d+$/, '') : null)
      continue
    }
    const found = part.map(({ function: name, file, line, column }) => [name, file ?? '', line ?? 0, column ?? 0])
    assert.deepEqual(
      found,
      inline.map((frame) => [frame.function, frame.file, frame.line, frame.column]),
    )
    assert.deepEqual(
      part.map(({ inlined }) => inlined),
      inline.map((_, index) => index < inline.length - 1),
    )
  }
  assert.equal(at, frames.length)
}

describe('crash reports', { skip: fixtures === undefined }, async () => {
  const lookupFiles = new Map<string, string>()
  before(async () => {
    for (const entry of await readdir(join(made, 'out'), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !entry.parentPath.endsWith('DWARF')) continue
      const outDir = join(folder.path, String(lookupFiles.size))
      await mkdir(outDir)
      const index = await readSymbols(join(entry.parentPath, entry.name), outDir)
      if (index.kind === 'dsym') for (const image of index.images) lookupFiles.set(image.uuid, image.lookupFile)
    }
  })

  const names = fixtures === undefined ? [] : await readdir(join(made, 'crash'))
  for (const name of names.filter((file) => /\.(ips|crash)$/.test(file)).toSorted()) {
    it(`${name} is resolved to the frames that llvm-symbolizer gives`, async () => {
      const report = await symbolicate(readFileSync(join(made, 'crash', name), 'utf8'), {
        findImage: ({ uuid }) => lookupFiles.get(uuid),
        findMapping: () => undefined,
      })
      const json = readFileSync(join(made, 'crash', name.replace(/\.\w+$/, '.expected.json')), 'utf8')
      const expected: Expected = JSON.parse(json)
      if (!expected.threads) {
        assert.ok(report.missingSymbols.some(({ uuid }) => uuid === '00000000-1111-2222-3333-444444444444'))
        const own = report.threads.flatMap(({ frames }) => frames).filter(({ module }) => module === 'Shop')
        assert.ok(own.length > 0 && own.every((frame) => frame.function === null))
        return
      }
      for (const [index, frames] of expected.threads.entries()) assertThread(report.threads[index], frames, true)
      assertThread(report.threads.at(-1), expected.lastExceptionBacktrace ?? [], name.endsWith('.ips'))
      assert.equal(report.threads.length, expected.threads.length + 1)
    })
  }
})
