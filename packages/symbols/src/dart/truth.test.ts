/** Reads the Dart traces of the shared fixtures and compares them with what Flutter's own tool prints. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { findFixtures } from '../../test/fixtures.ts'
import { createFolder } from '../../test/temporary-folder.ts'
import { openLookup } from '../lookup/lookup.ts'
import { readReport } from '../read-report.ts'
import { readSymbols } from '../read-symbols.ts'

type TruthFrame = [name: string, file: string, line: number, column: number]

interface TruthSymbols {
  file: string
  buildId: string
  debugId: string
  arch: string
  addresses: [address: string, frames: TruthFrame[], artificial?: 1][]
  traces: { file: string; buildId: string | null; decoded: string[]; frames: TruthFrame[][] }[]
}

const fixtures = findFixtures('native')

describe('Dart traces', { skip: fixtures === undefined }, () => {
  const root = fixtures ?? ''
  const truth: { symbols: TruthSymbols[] } = fixtures
    ? JSON.parse(readFileSync(join(root, 'dart-truth.json'), 'utf8'))
    : { symbols: [] }
  const folder = createFolder()
  after(() => folder[Symbol.dispose]())

  for (const symbols of truth.symbols) {
    const { addresses, arch, buildId, debugId, traces } = symbols
    const index = async (name: string, change: (bytes: Buffer) => Buffer) => {
      const bytes = change(gunzipSync(readFileSync(join(root, `${symbols.file}.gz`))))
      using out = createFolder()
      const answer = await readSymbols(folder.write(`${name}-${basename(symbols.file)}`, bytes), out.path)
      assert.equal(answer.kind, 'elf')
      const [image] = answer.kind === 'elf' ? answer.images : []
      assert.ok(image)
      assert.deepEqual([image.uuid.toLowerCase(), image.codeId, image.architecture], [debugId, buildId, arch])
      return folder.write(`${name}-${arch}.lookup`, readFileSync(image.lookupFile))
    }
    let lookupFile = ''
    before(async () => {
      lookupFile = await index('whole', (bytes) => bytes)
    })
    const resolve = async (text: string, file = lookupFile) => {
      const report = readReport(text, 'android')
      assert.equal(report.contents.kind, 'dart')
      return await report.resolve({ findImage: () => file, findMapping: () => undefined })
    }

    it(`resolve ${addresses.length} addresses of ${arch} as llvm-symbolizer does`, () => {
      using lookup = openLookup(lookupFile)
      for (const [address, expected, artificial] of addresses) {
        const found = lookup.findFrames(Number(address) - lookup.textAddress)
        assert.deepEqual(
          found.map((frame) => [frame.function ?? '', frame.file, frame.line, frame.column]),
          expected,
          address,
        )
        assert.equal(
          found.some((frame) => frame.artificial),
          artificial === 1,
          address,
        )
      }
    })

    for (const trace of traces) {
      const text = fixtures ? readFileSync(join(root, trace.file), 'utf8') : ''
      it(`are printed as Flutter prints them: ${basename(trace.file)}`, async () => {
        const report = readReport(text, 'android')
        assert.deepEqual(
          report.contents.images.map(({ codeId }) => codeId),
          [trace.buildId],
        )
        const { text: printed, threads, missingSymbols } = await resolve(text)
        const lines = printed.split('\n').flatMap((line) => /#\d+ .*$/.exec(line)?.[0] ?? [])
        assert.deepEqual(lines, trace.decoded)
        // Everything but the frames stays as it was.
        const isOther = (line: string) => !/#\d/.test(line)
        assert.deepEqual(printed.split('\n').filter(isOther), text.split(/\r?\n/).filter(isOther))
        assert.deepEqual(
          threads.flatMap(({ frames }) =>
            frames.map(({ function: name, file, line, column }) => [name, file, line, column]),
          ),
          trace.frames.flat(),
        )
        assert.deepEqual(missingSymbols, [])
      })
    }

    it(`of ${arch} need only the address of the file when the symbols do not say where the code begins`, async () => {
      const names = ['_kDartIsolateSnapshotInstructions', '_kDartVmSnapshotInstructions']
      const file = await index('headless', (bytes) => {
        let text = bytes.toString('latin1')
        for (const name of names) text = text.replaceAll(name, 'x'.repeat(name.length))
        return Buffer.from(text, 'latin1')
      })
      for (const trace of traces) {
        const text = readFileSync(join(root, trace.file), 'utf8')
        if (!text.includes(' virt ')) continue
        const { text: printed } = await resolve(text, file)
        assert.deepEqual(
          printed.split('\n').flatMap((line) => /#\d+ .*$/.exec(line)?.[0] ?? []),
          trace.decoded,
        )
      }
    })
  }
})
