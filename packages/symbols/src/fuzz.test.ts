/**
 * Fuzz tests with a fixed seed: every mutated file gives a result or a `SymbolsError`. `SYMBOLS_FUZZ_ROUNDS` multiplies
 * the number of rounds.
 */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { openLookup, symbolicate, SymbolsError } from './index.ts'
import { readSymbols } from './read-symbols.ts'
import { createRandom, mutate } from '../test/random.ts'
import { sampleUuid, writeInfoPlist, writeSampleArchive, writeSampleImage } from '../test/sample-app.ts'
import { createFolder } from '../test/temporary-folder.ts'
import { writeFat } from '../test/write-mach-o.ts'
import { writeZip } from '../test/write-zip.ts'

const rounds = Number(process.env['SYMBOLS_FUZZ_ROUNDS'] ?? 1)

/** Runs `run` and returns whether it succeeded. Any error other than a `SymbolsError` fails the test. */
async function attempt(seed: string, run: () => unknown): Promise<boolean> {
  try {
    await run()
    return true
  } catch (error) {
    if (error instanceof SymbolsError) return false
    throw new Error(`with seed ${seed}`, { cause: error })
  }
}

async function readAndLookUp(path: string, outDir: string): Promise<void> {
  const index = await readSymbols(path, outDir)
  if (index.kind !== 'dsym') return
  for (const { lookupFile } of index.images) {
    using lookup = openLookup(lookupFile)
    for (let offset = 0xf8; offset < 0x308; offset += 8) lookup.findFrames(offset)
  }
}

describe('mutated files', () => {
  const plist = (content: string) =>
    writeZip({
      'A.app.dSYM/Contents/Info.plist': content,
      'A.app.dSYM/Contents/Resources/DWARF/A': writeSampleImage(),
    })
  const subjects = {
    'a Mach-O file': writeSampleImage(),
    'a fat file': writeFat([writeSampleImage(), writeSampleImage({ cpuType: 0x01000007 })]),
    'an archive': writeSampleArchive(),
  }
  for (const [name, original] of Object.entries(subjects)) {
    it(`${name} is indexed or refused with a SymbolsError after mutations`, async () => {
      using folder = createFolder()
      const random = createRandom(4711)
      let read = 0
      for (let round = 0; round < 700 * rounds; round++) {
        const path = folder.write('changed', mutate(original, random))
        if (await attempt(`${name} ${round}`, () => readAndLookUp(path, folder.path))) read++
      }
      assert.ok(read > 0)
    })
  }

  it('a mutated property list does not affect the images beside it', async () => {
    using folder = createFolder()
    const random = createRandom(4712)
    for (let round = 0; round < 300 * rounds; round++) {
      const content = mutate(Buffer.from(writeInfoPlist('com.example', '1', '2')), random)
      const path = folder.write('changed', plist(content.toString('latin1')))
      assert.ok(await attempt(`plist ${round}`, () => readAndLookUp(path, folder.path)))
    }
  })

  it('a mutated lookup file gives frames or a SymbolsError', async () => {
    using folder = createFolder()
    const index = await readSymbols(folder.write('image', writeSampleImage()), folder.path)
    const path = index.kind === 'dsym' ? (index.images[0]?.lookupFile ?? '') : ''
    const original = readFileSync(path)
    const random = createRandom(4713)
    for (let round = 0; round < 500 * rounds; round++) {
      writeFileSync(path, mutate(original, random))
      await attempt(`lookup ${round}`, () => {
        using lookup = openLookup(path)
        for (let offset = 0; offset < 0x400; offset += 16) lookup.findFrames(offset)
      })
    }
  })

  it('a mutated report is resolved or refused with a SymbolsError', async () => {
    using folder = createFolder()
    const index = await readSymbols(folder.write('image', writeSampleImage()), folder.path)
    const lookupFile = index.kind === 'dsym' ? index.images[0]?.lookupFile : undefined
    const source = { findImage: () => lookupFile, findMapping: () => undefined }
    const base = 0x104d48000
    const image = `0x104d48000 - 0x104d67fff Shop arm64 <${sampleUuid}> /app/Shop`
    const crash = [
      'Incident Identifier: 1\nCode Type: ARM-64\n',
      'Last Exception Backtrace:\n(0x104d48130 0x104d48190)\n',
      'Thread 0 Crashed:\n0   Shop   0x104d48130 0x104d48000 + 304\n',
      `Binary Images:\n${image}\n`,
    ].join('\n')
    const body = {
      faultingThread: 0,
      threads: [{ frames: [{ imageOffset: 0x130, imageIndex: 0 }] }],
      usedImages: [{ base, size: 0x20000, uuid: sampleUuid, name: 'Shop', arch: 'arm64' }],
    }
    const ips = `{"bug_type":"309"}\n${JSON.stringify(body)}`
    const random = createRandom(4714)
    for (const text of [crash, ips]) {
      for (let round = 0; round < 700 * rounds; round++) {
        const changed = mutate(Buffer.from(text), random).toString('latin1')
        await attempt(`report ${round}`, () => symbolicate(changed, source))
      }
    }
  })
})
