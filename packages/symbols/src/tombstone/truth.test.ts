/** Reads the tombstones of the shared fixtures, in both forms, and resolves them with the shared symbols. */
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { before, describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { findFixtures } from '../../test/fixtures.ts'
import { createFolder } from '../../test/temporary-folder.ts'
import { ExtractBudget } from '../dsym/extract-budget.ts'
import { type IndexedElfImage, indexElf, toDetailRank } from '../elf/index-elf.ts'
import { readReport } from '../read-report.ts'

interface TruthFrame {
  /** null where the path is not that of a library. */
  module: string | null
  imageOffset: string
  function: string | null
  buildId: string | null
  expect: [name: string, mangled: string, file: string | null, line: number, column: number][] | null
}

interface TruthEvent {
  file: string
  gunzip?: boolean
  protocol: string
  thread: string
  frames: TruthFrame[]
  missing: string[]
}

const fixtures = findFixtures('native')

describe('tombstones', { skip: fixtures === undefined }, () => {
  const root = fixtures ?? ''
  const truth: { events: TruthEvent[] } = fixtures
    ? JSON.parse(readFileSync(join(root, 'events-truth.json'), 'utf8'))
    : { events: [] }
  const files: { file: string; buildId: string | null }[] = fixtures
    ? JSON.parse(readFileSync(join(root, 'elf-truth.json'), 'utf8')).images
    : []
  const folder = createFolder()
  process.on('exit', () => folder[Symbol.dispose]())
  const images = new Map<string, IndexedElfImage>()

  before(async () => {
    for (const [index, { file }] of files.entries()) {
      const outDir = join(folder.path, String(index))
      mkdirSync(outDir)
      const known = new Map<string, IndexedElfImage>()
      const path = join(root, file)
      await indexElf(path, basename(path), outDir, new ExtractBudget(readFileSync(path).length), known, [])
      for (const image of known.values()) {
        const uuid = image.uuid.toLowerCase()
        const other = images.get(uuid)
        if (!other || toDetailRank(image.detail) < toDetailRank(other.detail)) images.set(uuid, image)
      }
    }
  })

  for (const event of truth.events.filter(({ protocol }) => protocol === 'raw')) {
    it(`resolve every frame of ${basename(event.file)}`, async () => {
      const file = readFileSync(join(root, event.file))
      const report = readReport(event.gunzip === true ? gunzipSync(file) : file, 'android')
      assert.equal(report.contents.kind, 'native')
      const { threads, missingSymbols } = await report.resolve({
        findImage: ({ uuid }) => images.get(uuid.toLowerCase())?.lookupFile,
        findMapping: () => undefined,
      })
      const [thread] = threads
      assert.ok(thread)
      assert.equal(thread.name, event.thread)
      assert.equal(thread.crashed, true)
      const expected = event.frames.flatMap(({ module, imageOffset, function: name, expect }) => {
        const address = Number(imageOffset)
        const source = expect ?? []
        if (source.length === 0) return [[module, address, name, '', null, null, false]]
        return source.map(([function_, , path, line, column], index) => {
          const place = [basename(path ?? ''), path === null || path === '' ? null : line, column === 0 ? null : column]
          return [module, address, function_, ...place, index < source.length - 1]
        })
      })
      assert.deepEqual(
        thread.frames.map((frame) => [
          event.frames.some(({ module }) => module === frame.module) ? frame.module : null,
          Number(frame.address),
          frame.function,
          basename(frame.file ?? ''),
          frame.line,
          frame.column,
          frame.inlined,
        ]),
        expected,
      )
      const missing = new Set(missingSymbols.map(({ codeId }) => codeId))
      for (const id of event.missing) assert.ok(missing.has(id))
    })
  }
})
