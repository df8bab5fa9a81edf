import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { describe, it } from 'node:test'
import { askWhileStopped, canStopProcesses } from '@fairlead/workers/testing'
import { indexSymbols, openLookup, SymbolsError, type SymbolsIndex } from './index.ts'
import type { DsymIndex } from './symbols-index.ts'
import { readSymbols } from './read-symbols.ts'
import { sampleUuid, writeInfoPlist, writeSampleArchive, writeSampleImage } from '../test/sample-app.ts'
import { createFolder } from '../test/temporary-folder.ts'
import { writeFat } from '../test/write-mach-o.ts'
import { writeZip } from '../test/write-zip.ts'

async function read(content: Uint8Array | string): Promise<SymbolsIndex> {
  using folder = createFolder()
  return await readSymbols(folder.write('upload', content), folder.path)
}

async function readDsym(content: Uint8Array): Promise<DsymIndex> {
  const index = await read(content)
  assert.ok(index.kind === 'dsym')
  return index
}

async function assertRefused(content: Uint8Array | string, code: string): Promise<void> {
  await assert.rejects(read(content), (error) => error instanceof SymbolsError && error.code === code)
}

describe('an archive of dSYMs', () => {
  it('is not extracted if its debug files have no Mach-O header or are far larger than the upload', async () => {
    const inside = (name: string) => `${name}.dSYM/Contents/Resources/DWARF/${name}`
    const fat = Buffer.alloc(4096)
    for (const [at, value] of [0xcafebabe, 1, 0x0100000c, 0, 100_000_000, 4096, 14].entries())
      fat.writeUInt32BE(value, at * 4)
    const zeros = Buffer.alloc(100_000_000)
    const blank = writeZip({ [inside('Blank')]: Buffer.concat([fat, zeros]) })
    await assert.rejects(readDsym(blank), /Mach-O/)
    const image = writeSampleImage()
    const large = writeZip({ [inside('Large')]: Buffer.concat([image, zeros]), [inside('Small')]: image })
    const { images, problems } = await readDsym(large)
    assert.equal(images.length, 1)
    assert.match(problems.join(), /Large: It exceeds a limit\. 1\d+ bytes are more than/)
  })

  it('is indexed in a worker', async () => {
    using folder = createFolder()
    const path = folder.write('upload.zip', writeSampleArchive())
    const index = await indexSymbols(path, folder.path)
    assert.ok(index.kind === 'dsym')
    assert.equal(index.bundleIdentifier, 'com.example.shop')
    assert.equal(index.shortVersion, '3.2')
    assert.equal(index.version, '47')
    const [image] = index.images
    assert.ok(image)
    assert.deepEqual([image.name, image.uuid, image.architecture], ['Shop', sampleUuid, 'arm64'])
    using lookup = openLookup(image.lookupFile)
    assert.equal(lookup.findFrames(0x100)[0]?.file, 'cart.cpp')
  })

  it('leaves no files behind but lookup files', async () => {
    using folder = createFolder()
    await readSymbols(folder.write('upload.zip', writeSampleArchive()), folder.path)
    assert.deepEqual(readdirSync(folder.path).toSorted(), [`${sampleUuid}-arm64.lookup`, 'upload.zip'])
  })

  it('is read regardless of the names of the folders around its bundles', async () => {
    for (const prefix of ['dSYMs/', 'Shop.xcarchive/dSYMs/', './']) {
      assert.equal((await readDsym(writeSampleArchive(prefix))).images.length, 1)
    }
    const upper = writeZip({ 'SHOP.DSYM/CONTENTS/RESOURCES/DWARF/Shop': writeSampleImage() })
    assert.equal((await readDsym(upper)).images.length, 1)
  })

  it('is read from a zip inside the zip, one level deep', async () => {
    const once = writeZip({ 'dSYMs.zip': writeSampleArchive() })
    assert.equal((await readDsym(once)).images.length, 1)
    await assertRefused(writeZip({ 'outer.zip': once }), 'no-symbols')
  })

  it('may contain Mach-O files without a bundle', async () => {
    const index = await readDsym(writeZip({ 'readme.txt': 'hello', Shop: writeSampleImage() }))
    assert.deepEqual(
      index.images.map(({ name }) => name),
      ['Shop'],
    )
  })

  it('is read without the files that macOS adds to archives', async () => {
    const inside = 'Shop.app.dSYM/Contents/Resources/DWARF'
    const archive = writeZip({
      [`${inside}/Shop`]: writeSampleImage(),
      [`${inside}/._Shop`]: 'litter',
      [`__MACOSX/${inside}/Shop`]: 'litter',
    })
    const index = await readDsym(archive)
    assert.equal(index.images.length, 1)
    assert.deepEqual(index.problems, ['Shop.app.dSYM/ has no Info.plist.'])
  })

  it('gives every architecture of a fat file, and a repeated image only once', async () => {
    const other = writeSampleImage({ uuid: 'ff'.repeat(16), cpuType: 0x01000007 })
    const index = await readDsym(writeFat([writeSampleImage(), other, writeSampleImage()]))
    assert.deepEqual(
      index.images.map(({ architecture }) => architecture),
      ['arm64', 'x86_64'],
    )
  })

  it('takes its identity from the app, not from the extensions of the app', async () => {
    const bundle = (name: string, identifier: string, uuid: string) => ({
      [`${name}.dSYM/Contents/Info.plist`]: writeInfoPlist(`com.apple.xcode.dsym.${identifier}`, '1', '2'),
      [`${name}.dSYM/Contents/Resources/DWARF/${name}`]: writeSampleImage({ uuid }),
    })
    const archive = writeZip({
      ...bundle('Kit.framework', 'com.kit', '11'.repeat(16)),
      ...bundle('Watch.app', 'com.example.shop.watchkitapp', '22'.repeat(16)),
      ...bundle('Shop.app', 'com.example.shop', '33'.repeat(16)),
    })
    const index = await readDsym(archive)
    assert.equal(index.bundleIdentifier, 'com.example.shop')
    assert.equal(index.images.length, 3)
  })

  it('keeps its intact images and reports the damaged ones', async () => {
    const archive = writeZip({
      'A.dSYM/Contents/Resources/DWARF/A': writeSampleImage(),
      'B.dSYM/Contents/Resources/DWARF/B': 'junk that is no Mach-O file at all',
    })
    const index = await readDsym(archive)
    assert.equal(index.images.length, 1)
    assert.ok(index.problems.some((problem) => problem.startsWith('B.dSYM/Contents/Resources/DWARF/B: ')))
  })

  it('is refused with a code if it contains no symbols', async () => {
    await assertRefused(writeZip({}), 'no-symbols')
    await assertRefused(writeZip({ 'A.dSYM/Contents/Resources/DWARF/A': 'junk' }), 'no-mach-o')
    await assertRefused(writeSampleArchive().subarray(0, 400), 'malformed-zip')
    await assertRefused(writeSampleImage({ uuid: '00'.repeat(16) }), 'no-uuid')
    await assertRefused(writeSampleImage().subarray(0, 100), 'malformed-mach-o')
  })
})

describe('a mapping', () => {
  const mapping = '# pg_map_id: 7bd0aa1\ncom.example.Cart -> a.a:\n    1:2:void total():10:11 -> a\n'

  it('is recognized by its content', async () => {
    const index = await read(mapping)
    assert.ok(index.kind === 'proguard')
    assert.equal(index.mapId, '7bd0aa1')
  })

  it('may be in a zip archive that contains no dSYM', async () => {
    const index = await read(writeZip({ 'release/mapping.txt': mapping, 'release/seeds.txt': 'com.example.Cart' }))
    assert.equal(index.kind, 'proguard')
  })
})

describe('indexing in a worker', () => {
  it('rejects with the fault of the file', async () => {
    using folder = createFolder()
    const path = folder.write('upload.zip', writeZip({}))
    await assert.rejects(indexSymbols(path, folder.path), (error) => {
      return error instanceof SymbolsError && error.code === 'no-symbols' && error.detail === 'It has 0 entries.'
    })
  })

  it('ends at its time limit', async () => {
    using folder = createFolder()
    const path = folder.write('upload.zip', writeSampleArchive())
    await assert.rejects(indexSymbols(path, folder.path, { timeoutMs: 0 }), (error) => {
      return error instanceof SymbolsError && error.code === 'timeout'
    })
  })

  it(
    'is not given up on a machine so busy that its process is not run',
    { skip: !canStopProcesses },
    async (context) => {
      using folder = createFolder()
      const path = folder.write('upload.zip', writeSampleArchive())
      const { kind } = await askWhileStopped(context, 30 * 60_000, () => indexSymbols(path, folder.path))
      assert.equal(kind, 'dsym')
      const late = askWhileStopped(context, 60 * 60_000, () => indexSymbols(path, folder.path))
      await assert.rejects(late, { code: 'timeout' })
    },
  )

  it('ends when its caller aborts it', async () => {
    using folder = createFolder()
    const path = folder.write('upload.zip', writeSampleArchive())
    const reason = new Error('gave up')
    const options = { signal: AbortSignal.abort(reason) }
    await assert.rejects(indexSymbols(path, folder.path, options), (error) => error === reason)
  })

  it('rejects if the file does not exist', async () => {
    using folder = createFolder()
    await assert.rejects(indexSymbols(`${folder.path}/none`, folder.path), (error) => {
      return error instanceof SymbolsError && error.code === 'unreadable'
    })
  })
})
