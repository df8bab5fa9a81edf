/**
 * Tests with the broken and hostile files of the shared fixtures. Their MANIFEST says what has to happen to each of
 * them. Mappings have tests of their own.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { indexSymbols, openLookup, symbolicate, type SymbolicatedReport, SymbolsError } from './index.ts'
import { readSymbols } from './read-symbols.ts'
import { findFixtures } from '../test/fixtures.ts'
import { createFolder } from '../test/temporary-folder.ts'

const fixtures = findFixtures()
const bad = join(fixtures ?? '', 'bad')
const shopUuid = '4C4C4445-5555-3144-A169-42BDED119A5A'

const rejected: Record<string, string> = {
  'fat-nfat-huge.bin': 'malformed-mach-o',
  'fat-offset-past-eof.bin': 'malformed-mach-o',
  'fat-self-nested.bin': 'malformed-mach-o',
  'java-class-cafebabe.class': 'malformed-mach-o',
  'macho-3bytes.bin': 'malformed-mapping',
  'macho-bigendian-magic.bin': 'malformed-mach-o',
  'macho-cmdsize-over.bin': 'malformed-mach-o',
  'macho-cmdsize-zero.bin': 'malformed-mach-o',
  'macho-empty.bin': 'malformed-mapping',
  'macho-header-only.bin': 'malformed-mach-o',
  'macho-ncmds-huge.bin': 'malformed-mach-o',
  'macho-no-uuid.bin': 'no-uuid',
  'macho-zero-uuid.bin': 'no-uuid',
  'zip-crc-mismatch.zip': 'no-mach-o',
  'zip-empty.zip': 'no-symbols',
  'zip-encrypted-flag.zip': 'malformed-zip',
  'zip-junk-dwarf.zip': 'no-mach-o',
  'zip-method-lzma.zip': 'malformed-zip',
  'zip-no-dsym.zip': 'no-symbols',
  'zip-no-eocd.zip': 'malformed-zip',
  'zip-not.zip': 'malformed-mapping',
  'zip-size-lies.zip': 'no-mach-o',
  'zip-truncated.zip': 'malformed-zip',
}

/** The number of images in a file, if it is not one. */
const imageCounts: Record<string, number> = { 'zip-two-dwarf-one-dsym.zip': 2 }

const withoutIdentity = ['no-plist', 'plist-broken', 'plist-no-id', 'plist-entity-bomb', 'plist-xxe', 'bare-dwarf']

describe('hostile uploads', { skip: fixtures === undefined }, async () => {
  const files = fixtures === undefined ? [] : await readdir(bad)
  for (const file of files.filter((name) => /\.(bin|zip|class)$/.test(name)).toSorted()) {
    const code = rejected[file]
    it(`${file} is ${code === undefined ? 'read as far as it can be' : `refused as ${code}`}`, async () => {
      using folder = createFolder()
      if (code !== undefined) {
        const isRefused = (error: unknown) => error instanceof SymbolsError && error.code === code
        await assert.rejects(readSymbols(join(bad, file), folder.path), isRefused)
        return
      }
      const index = await readSymbols(join(bad, file), folder.path)
      assert.ok(index.kind === 'dsym')
      assert.equal(index.images.length, imageCounts[file] ?? 1)
      for (const { lookupFile } of index.images) {
        using lookup = openLookup(lookupFile)
        for (let offset = 0; offset < 0x6000; offset += 64) assert.ok(lookup.findFrames(offset).length <= 257)
      }
      if (file.endsWith('.zip')) {
        const hasIdentity = !withoutIdentity.some((name) => file.includes(name))
        assert.equal(index.bundleIdentifier, hasIdentity ? 'com.example.shop' : null)
      }
    })
  }

  it('names functions if only the line table is damaged', async () => {
    using folder = createFolder()
    const index = await readSymbols(join(bad, 'line-range-0.bin'), folder.path)
    using lookup = openLookup(index.kind === 'dsym' ? (index.images[0]?.lookupFile ?? '') : '')
    const names = new Set(
      Array.from({ length: 200 }, (_, word) => lookup.findFrames(0x4000 + word * 4).at(-1)?.function),
    )
    assert.ok(names.has('cart_entry') && names.has('-[Checkout pay:with:]'))
  })

  it('uses the symbol table if the debug information is damaged', async () => {
    for (const file of [
      'dwarf-unit-length-0.bin',
      'dwarf-abbrev-ff.bin',
      'section-past-eof.bin',
      'v5-addr-zeroed.bin',
    ]) {
      using folder = createFolder()
      const index = await readSymbols(join(bad, file), folder.path)
      using lookup = openLookup(index.kind === 'dsym' ? (index.images[0]?.lookupFile ?? '') : '')
      const frames = Array.from({ length: 200 }, (_, word) => lookup.findFrames(0x4000 + word * 4))
      assert.ok(
        frames.some(([frame]) => frame?.function === 'cart_entry'),
        file,
      )
    }
  })
})

describe('hostile reports', { skip: fixtures === undefined }, () => {
  const shop = join(fixtures ?? '', 'made/out/dwarf4-O1/Shop.framework.dSYM/Contents/Resources/DWARF/Shop')
  const run = async (file: string): Promise<SymbolicatedReport> => {
    using folder = createFolder()
    const index = await readSymbols(shop, folder.path)
    const images = index.kind === 'dsym' ? index.images : []
    return await symbolicate(readFileSync(join(bad, file), 'utf8'), {
      findImage: ({ uuid }) => images.find((image) => image.uuid === uuid)?.lookupFile,
      findMapping: () => undefined,
    })
  }
  const first = (report: SymbolicatedReport) => report.threads[0]?.frames[0]

  for (const [file, code] of [
    ['ips-array.ips', 'unknown-report'],
    ['ips-body-truncated.ips', 'malformed-report'],
    ['ips-header-only.ips', 'malformed-report'],
  ] as const) {
    it(`${file} is refused as ${code}`, async () => {
      await assert.rejects(run(file), (error) => error instanceof SymbolsError && error.code === code)
    })
  }

  for (const file of [
    'ips-crlf.ips',
    'ips-no-header.ips',
    'ips-cpu-resource-bugtype-202.ips',
    'ips-100000-frames.ips',
    'crash-pac-bits.crash',
    'crash-space-in-image-name.crash',
  ]) {
    it(`${file} is resolved`, async () => {
      const frame = first(await run(file))
      assert.deepEqual([frame?.function, frame?.file, frame?.line], ['-[Checkout pay:with:]', 'objc.m', 10])
    })
  }

  for (const file of [
    'ips-imageindex-out-of-range.ips',
    'ips-negative-offset.ips',
    'ips-no-usedimages.ips',
    'ips-offset-over-2e53.ips',
    'ips-uuid-bad.ips',
    'crash-no-binary-images.crash',
    'crash-truncated-mid-line.crash',
    'crash-image-range-reversed.crash',
  ]) {
    it(`${file} keeps its first frame as it was`, async () => {
      const report = await run(file)
      const frame = first(report)
      assert.deepEqual([frame?.function, frame?.file, frame?.line], [null, null, null])
      assert.ok(report.text.includes(frame?.raw ?? '-'))
    })
  }

  it('ips-uuid-bad.ips is answered with the name of the image whose UUID is malformed', async () => {
    const report = await run('ips-uuid-bad.ips')
    assert.deepEqual(report.missingSymbols, [{ name: 'Shop', uuid: null, architecture: 'arm64', codeId: null }])
  })

  it('crash-pac-bits.crash gives the same frames as without pointer authentication codes', async () => {
    const signed = await run('crash-pac-bits.crash')
    const plain = await run('../made/crash/shop-dwarf4-arm64.crash')
    const strip = ({ threads }: SymbolicatedReport) =>
      threads.map(({ frames }) => frames.map(({ function: name, line, address }) => [name, line, address]))
    assert.deepEqual(strip(signed), strip(plain))
    assert.equal(signed.usedImages[0]?.uuid, shopUuid)
  })
})

describe('a zip bomb', { skip: fixtures === undefined }, () => {
  it('is not expanded if nothing inside of it is needed', async () => {
    using folder = createFolder()
    const index = await indexSymbols(join(bad, 'zip-bomb-1gb-zeros.zip'), folder.path)
    assert.equal(index.kind, 'dsym')
  })
})
