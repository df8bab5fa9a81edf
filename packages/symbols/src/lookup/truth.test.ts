/** Compares lookups with recorded answers of llvm-symbolizer for the shared fixtures. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { demangle, type IndexedImage, type Lookup, openLookup, SymbolsError } from '../index.ts'
import { readSymbols } from '../read-symbols.ts'
import { findFixtures } from '../../test/fixtures.ts'
import { createFolder } from '../../test/temporary-folder.ts'

type Frame = readonly [name: string, file: string, line: number, column: number]
type IndexedFrame = readonly [name: number, file: number, line: number, column: number]

interface TruthImage<Run> {
  uuid: string
  strings?: string[]
  rows?: [address: number, ...frames: IndexedFrame[]][]
  runs?: Run[]
}

interface NamedRun {
  start: number
  end: number
  frames: { function: string; file: string; line: number; column: number }[]
}

type IndexedRun = [start: number, end: number, frames: IndexedFrame[]]

const fixtures = findFixtures()
const folder = createFolder()
process.on('exit', () => folder[Symbol.dispose]())

/** Indexes every dSYM and archive below a folder and skips other files. */
async function indexAll(path: string, images: Map<string, IndexedImage>): Promise<void> {
  for (const entry of await readdir(path, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const outDir = join(folder.path, String(images.size))
    await mkdir(outDir, { recursive: true })
    try {
      const index = await readSymbols(join(entry.parentPath, entry.name), outDir)
      if (index.kind === 'dsym') for (const image of index.images) images.set(image.uuid, image)
    } catch (error) {
      if (!(error instanceof SymbolsError)) throw error
    }
  }
}

function assertFrames(
  lookup: Lookup,
  address: number,
  expected: readonly Frame[],
  name: (raw: string) => string,
): void {
  const frames = lookup.findFrames(address - lookup.textAddress)
  const found = frames.map((frame): Frame => [
    name(frame.function ?? ''),
    frame.file ?? '',
    frame.line ?? 0,
    frame.column ?? 0,
  ])
  // llvm-symbolizer gives one empty frame for an address that it does not know.
  assert.deepEqual(found.length === 0 ? [['', '', 0, 0]] : found, expected, `at 0x${address.toString(16)}`)
}

describe('lookups agree with llvm-symbolizer', { skip: fixtures === undefined }, () => {
  const images = new Map<string, IndexedImage>()
  const root = fixtures ?? ''
  const readTruth = <Run = never>(name: string) => {
    const truth: { images: Record<string, TruthImage<Run>> } = JSON.parse(readFileSync(join(root, name), 'utf8'))
    return Object.entries(truth.images)
  }
  const open = (uuid: string) => {
    const image = images.get(uuid)
    assert.ok(image, `no image ${uuid}`)
    return openLookup(image.lookupFile)
  }
  const full = (name: string) => demangle(name, { form: 'full' })

  before(async () => {
    for (const part of ['made/out', 'symbolic/macos', 'symbolic/debuginfo', 'app-info/dsyms']) {
      await indexAll(join(root, part), images)
    }
  })

  it('at every address of DWARF 2 to 5, in both architectures and at both optimization levels', () => {
    let count = 0
    for (const [, image] of readTruth<NamedRun>('made/truth.json')) {
      using lookup = open(image.uuid)
      for (const { start, end, frames } of image.runs ?? []) {
        const expected = frames.map((frame): Frame => [frame.function, frame.file, frame.line, frame.column])
        for (let address = start; address < end; address++, count++) assertFrames(lookup, address, expected, full)
      }
    }
    assert.ok(count > 15_000)
  })

  it('at every instruction of two images with templates, inlined up to 24 levels deep', () => {
    let count = 0
    for (const [, image] of readTruth<IndexedRun>('made/truth-medium.json')) {
      using lookup = open(image.uuid)
      const strings = image.strings ?? []
      for (const [start, end, frames] of image.runs ?? []) {
        const expected = frames.map((frame) => toFrame(frame, strings))
        for (let address = start; address < end; address += 4, count++) assertFrames(lookup, address, expected, full)
      }
    }
    assert.ok(count > 28_000)
  })

  it('in images built by Xcode from Swift, Objective-C and C++ for three architectures', () => {
    let count = 0
    for (const [name, image] of readTruth('truth-real.json')) {
      if (name.endsWith('#elf')) continue
      using lookup = open(image.uuid)
      const strings = image.strings ?? []
      for (const [address, ...frames] of image.rows ?? []) {
        assertFrames(
          lookup,
          address,
          frames.map((frame) => toFrame(frame, strings)),
          (raw) => raw,
        )
        count++
      }
    }
    assert.ok(count > 8_000)
  })
})

function toFrame([name, file, line, column]: IndexedFrame, strings: readonly string[]): Frame {
  return [strings[name] ?? '', strings[file] ?? '', line, column]
}
