import assert from 'node:assert/strict'
import fs, { readFileSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { describe, it, mock } from 'node:test'
import { outOfRange } from '@fairlead/invariant'
import { type Lookup, openLookup, SymbolsError } from '../index.ts'
import { readSymbols } from '../read-symbols.ts'
import type { SourceFrame } from './block.ts'
import { sampleUuid, textAddress, writeSampleImage } from '../../test/sample-app.ts'
import { createFolder, type TemporaryFolder } from '../../test/temporary-folder.ts'

async function buildSample(folder: TemporaryFolder, image = writeSampleImage()): Promise<string> {
  const index = await readSymbols(folder.write('image', image), folder.path)
  assert.equal(index.kind, 'dsym')
  return index.kind === 'dsym' ? (index.images[0]?.lookupFile ?? '') : ''
}

function describeFrames(lookup: Lookup, offset: number): string[] {
  return lookup.findFrames(offset).map(describeFrame)
}

function describeFrame({ function: name, file, line, column, inlined }: SourceFrame): string {
  return `${name} ${file}:${line}:${column}${inlined ? ' inlined' : ''}`
}

describe('a lookup file', () => {
  it('has the UUID and architecture of its image', async () => {
    using folder = createFolder()
    using lookup = openLookup(await buildSample(folder))
    assert.equal(lookup.uuid, sampleUuid)
    assert.equal(lookup.architecture, 'arm64')
    assert.equal(lookup.textAddress, textAddress)
  })

  it('gives function, file, line and column', async () => {
    using folder = createFolder()
    using lookup = openLookup(await buildSample(folder))
    assert.deepEqual(describeFrames(lookup, 0x100), ['_ZN4Cart5totalEv cart.cpp:10:1'])
    assert.deepEqual(describeFrames(lookup, 0x17f), ['_ZN4Cart5totalEv cart.cpp:14:2'])
    assert.deepEqual(describeFrames(lookup, 0x1a4), ['main cart.cpp:52:3'])
  })

  it('gives the chain of inlined calls, innermost first', async () => {
    using folder = createFolder()
    using lookup = openLookup(await buildSample(folder))
    assert.deepEqual(describeFrames(lookup, 0x13c), [
      'round money.h:40:7 inlined',
      '_ZN5Money3addEi cart.cpp:31:4 inlined',
      '_ZN4Cart5totalEv cart.cpp:12:9',
    ])
    assert.deepEqual(describeFrames(lookup, 0x150), [
      '_ZN5Money3addEi money.h:32:5 inlined',
      '_ZN4Cart5totalEv cart.cpp:12:9',
    ])
  })

  it('gives the same answers for many offsets at once as for each alone', async () => {
    using folder = createFolder()
    using lookup = openLookup(await buildSample(folder))
    const offsets = [0x1a4, 0x13c, -1, 0x100, 0x13c, 0x1_0000_0000, Number.NaN, 0x100]
    assert.deepEqual(
      lookup.findFramesOf(offsets),
      offsets.map((offset) => lookup.findFrames(offset)),
    )
  })

  it('formats answers as llvm-symbolizer does', async () => {
    using folder = createFolder()
    using lookup = openLookup(await buildSample(folder))
    const text = (offsets: number[]) => {
      let all = ''
      for (const piece of lookup.formatFramesOf(offsets)) all += piece.toString()
      return all
    }
    assert.equal(
      text([0x1a4, 0x13c, -1]),
      'main\ncart.cpp:52:3\n\n' +
        'round\nmoney.h:40:7\n_ZN5Money3addEi\ncart.cpp:31:4\n_ZN4Cart5totalEv\ncart.cpp:12:9\n\n' +
        '\n',
    )
    const offsets = Array.from({ length: 20_000 }, (_, index) => 0x100 + (index % 0x100))
    assert.ok(text(offsets) === offsets.map((offset) => text([offset])).join(''))
  })

  it('keeps two answers apart that are requested at the same time', async () => {
    using folder = createFolder()
    using lookup = openLookup(await buildSample(folder))
    const first = lookup.formatFramesOf([0x1a4])[Symbol.iterator]()
    const second = lookup.formatFramesOf([0x100])[Symbol.iterator]()
    assert.equal(String(first.next().value), 'main\ncart.cpp:52:3\n\n')
    assert.equal(String(second.next().value), '_ZN4Cart5totalEv\ncart.cpp:10:1\n\n')
    assert.equal(first.next().done, true)
  })

  it('demangles function names if it was opened with that option', async () => {
    using folder = createFolder()
    const path = await buildSample(folder)
    const names = (['linkage', 'full', 'short'] as const).map((form) => {
      using lookup = openLookup(path, { names: form })
      return lookup.findFrames(0x13c).map((frame) => frame.function)
    })
    assert.deepEqual(names, [
      ['round', '_ZN5Money3addEi', '_ZN4Cart5totalEv'],
      ['round', 'Money::add(int)', 'Cart::total()'],
      ['round', 'Money::add', 'Cart::total'],
    ])
  })

  it('keeps line 0, which marks code that the compiler generated', async () => {
    using folder = createFolder()
    using lookup = openLookup(await buildSample(folder))
    assert.deepEqual(describeFrames(lookup, 0x190), ['main cart.cpp:0:0'])
  })

  it('answers from the symbol table if there is no debug information', async () => {
    using folder = createFolder()
    using lookup = openLookup(await buildSample(folder))
    assert.deepEqual(describeFrames(lookup, 0x210), ['only_in_symbols undefined:undefined:undefined'])
  })

  it('uses a symbol at the end of its section as the name of the next section, as LLVM does', async () => {
    using folder = createFolder()
    const symbols = [
      { name: '_main', address: textAddress + 0x180 },
      { name: '_code_end', address: textAddress + 0x300 },
    ]
    const image = writeSampleImage({ symbols, constSize: 0x20, constGap: 8 })
    using lookup = openLookup(await buildSample(folder, image))
    assert.deepEqual(describeFrames(lookup, 0x2ff), ['main undefined:undefined:undefined'])
    assert.deepEqual(describeFrames(lookup, 0x300), ['code_end undefined:undefined:undefined'])
    assert.deepEqual(describeFrames(lookup, 0x327), ['code_end undefined:undefined:undefined'])
    assert.deepEqual(describeFrames(lookup, 0x328), [])
  })

  it('finds nothing outside of the code', async () => {
    using folder = createFolder()
    using lookup = openLookup(await buildSample(folder))
    for (const offset of [0, 0xff, 0x300, 0xffffffff, -1, 2 ** 40, Number.NaN]) {
      assert.deepEqual(lookup.findFrames(offset), [])
    }
  })

  it('names functions by their debug information if the symbol table was stripped', async () => {
    using folder = createFolder()
    using lookup = openLookup(await buildSample(folder, writeSampleImage({ symbols: [] })))
    assert.deepEqual(describeFrames(lookup, 0x100), ['_ZN4Cart5totalEv cart.cpp:10:1'])
  })

  it('needs at most four reads for a new frame, including the two that open the file', async (t) => {
    using folder = createFolder()
    const path = await buildSample(folder)
    const reads = mock.method(fs, 'readSync')
    syncBuiltinESMExports()
    t.after(() => {
      mock.restoreAll()
      syncBuiltinESMExports()
    })
    using lookup = openLookup(path)
    assert.equal(describeFrames(lookup, 0x13c).length, 3)
    assert.ok(reads.mock.callCount() >= 1 && reads.mock.callCount() <= 4, `${reads.mock.callCount()} reads`)
  })

  it('is refused if it is damaged or of another version', async () => {
    using folder = createFolder()
    const path = await buildSample(folder)
    const good = readFileSync(path)
    const refuse = (change: (bytes: Buffer) => Buffer, code: string) => {
      writeFileSync(path, change(Buffer.from(good)))
      const look = () => {
        using lookup = openLookup(path)
        lookup.findFrames(0x100)
      }
      assert.throws(look, (error) => error instanceof SymbolsError && error.code === code)
    }
    refuse((bytes) => bytes.fill(0, 0, 4), 'malformed-lookup')
    refuse((bytes) => (bytes.writeUInt32LE(99, 8), bytes), 'outdated-lookup')
    refuse((bytes) => bytes.subarray(0, bytes.length - 1), 'malformed-lookup')
    refuse((bytes) => (bytes.writeUInt8((bytes[90] ?? outOfRange()) ^ 1, 90), bytes), 'malformed-lookup')
    refuse(() => Buffer.alloc(0), 'malformed-lookup')
  })
})
