import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { writeApk, writeElfLibrary, writeIpa } from '@fairlead/binary/fixture'
import { readImages } from '@fairlead/binary'

describe('readImages', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fairlead-images-'))
  after(() => rmSync(folder, { recursive: true }))

  const read = (bytes: Buffer) => {
    const path = join(folder, 'app')
    writeFileSync(path, bytes)
    return readImages(path)
  }
  const readDex = (text: string) => {
    const data = Buffer.concat([Buffer.alloc(300_000, 7), Buffer.from(`${text}\0`), Buffer.alloc(300_000)])
    return read(writeApk({ files: [{ name: 'classes.dex', data, deflate: true }] }))
  }

  it('lists the classes of an APK by the map id that R8 wrote into them', async () => {
    const marker = '~~R8{"backend":"dex","compilation-mode":"release","pg-map-id":"7ebbafb","version":"8.2"}'
    assert.deepEqual(await readDex(marker), [{ name: 'classes.dex', uuid: '7ebbafb', architecture: null }])
  })

  it('lists nothing for an APK without classes or whose classes R8 did not process', async () => {
    assert.deepEqual(await readDex('~~D8{"compilation-mode":"debug"}'), [])
    assert.deepEqual(await readDex('~~R8{"pg-map-id":"no hexadecimal"}'), [])
    assert.deepEqual(await read(writeApk()), [])
  })

  it('lists the JavaScript of React Native by its debug id, and without one by its name', async () => {
    const id = '5c6f1f0e-93f1-4b9e-a8a6-0b7d4d1f1f10'
    const code = Buffer.concat([Buffer.from('c61fbc03', 'hex'), Buffer.alloc(200_000, 7)])
    const bundle = (text: string) => Buffer.concat([code, Buffer.from(text), code])
    const readBundle = (data: Buffer) =>
      read(writeApk({ files: [{ name: 'assets/index.android.bundle', data, deflate: true }] }))
    const named = [{ name: 'index.android.bundle', uuid: id.toUpperCase(), architecture: null }]
    assert.deepEqual(await readBundle(bundle(`sentry-dbid-${id}`)), named)
    assert.deepEqual(await readBundle(bundle(`\n//# debugId=${id}\n`)), named)
    // The program of the SDK itself has the start of the mark.
    const plain = [{ name: 'index.android.bundle', uuid: '', architecture: null }]
    assert.deepEqual(await readBundle(bundle('sentry-dbid-')), plain)
    const files = [{ name: 'Payload/Sample.app/main.jsbundle', data: bundle('var a') }]
    assert.deepEqual(await read(writeIpa({ files })), [{ name: 'main.jsbundle', uuid: '', architecture: null }])
  })

  it('lists the libraries of an APK by their build ids, and not those that come with frameworks', async () => {
    const buildId = Buffer.from('9c7fff405dc70e313eb5759c061f33993aceaa5c', 'hex')
    const at = (name: string, data: Buffer) => ({ name: `lib/${name}`, data, deflate: true })
    const files = [
      at('arm64-v8a/libatlas.so', writeElfLibrary({ is64: true, machine: 183, buildId })),
      at('armeabi-v7a/libatlas.so', writeElfLibrary({ is64: false, machine: 40, buildId: Buffer.alloc(8, 5) })),
      at('arm64-v8a/libflutter.so', writeElfLibrary({ is64: true, machine: 183, buildId: Buffer.alloc(20, 1) })),
      at('arm64-v8a/libplain.so', writeElfLibrary({ is64: true, machine: 183, buildId: Buffer.alloc(0) })),
      at('arm64-v8a/libcut.so', writeElfLibrary({ is64: true, machine: 183, buildId }).subarray(0, 70)),
      at('arm64-v8a/libtext.so', Buffer.from('no library')),
      at('arm64-v8a/notes.txt', writeElfLibrary({ is64: true, machine: 183, buildId: Buffer.alloc(20, 2) })),
    ]
    assert.deepEqual(await read(writeApk({ files })), [
      { name: 'libatlas.so', uuid: '40FF7F9C-C75D-310E-3EB5-759C061F3399', architecture: 'arm64' },
      { name: 'libatlas.so', uuid: '05050505-0505-0505-0000-000000000000', architecture: 'arm' },
    ])
  })

  it('lists executables, frameworks, libraries and extensions of an IPA, each slice by its UUID', async () => {
    const at = (name: string) => `Payload/Sample.app/${name}`
    const files = [
      { name: at('Frameworks/Kit.framework/Kit'), data: writeFat([machO(2, 0x0c), machO(3, 0x07)]), deflate: true },
      { name: at('Frameworks/libtool.dylib'), data: machO(4, 0x0c) },
      { name: at('Frameworks/libswiftCore.dylib'), data: machO(5, 0x0c) },
      { name: at('PlugIns/Share.appex/Share'), data: machO(6, 0x0c) },
      { name: at('Frameworks/libfast.dylib'), data: machO(8, 0x07, 8) },
      { name: at('Frameworks/Kit.framework/Info.plist'), data: machO(7, 0x0c) },
      { name: at('Frameworks/libbroken.dylib'), data: Buffer.from('cafebabe00000003ffffffff', 'hex') },
    ]
    const images = await read(writeIpa({ files }))
    assert.deepEqual(images.map(({ name, uuid, architecture }) => `${name} ${uuid} ${architecture}`).sort(), [
      'Kit 02020202-0202-0202-0202-020202020202 arm64',
      'Kit 03030303-0303-0303-0303-030303030303 x86_64',
      'Share 06060606-0606-0606-0606-060606060606 arm64',
      'libfast.dylib 08080808-0808-0808-0808-080808080808 x86_64h',
      'libtool.dylib 04040404-0404-0404-0404-040404040404 arm64',
    ])
  })

  it('lists a limited number of images with short names, however many an IPA has', async () => {
    const at = (name: string) => `Payload/Sample.app/${name}`
    const fat = (index: number) =>
      writeFat(
        Array.from({ length: 40 }, (_, slice) => machO(index, slice)),
        4096,
      )
    const files = Array.from({ length: 30 }, (_, index) => ({
      name: at(`${index}${'x'.repeat(1000)}.dylib`),
      data: withOwnIds(fat(index), index),
      deflate: true,
    }))
    const images = await read(writeIpa({ files }))
    assert.equal(images.length, 500)
    assert.ok(images.every(({ name }) => name.length <= 255))
  })

  it('inflates no more of one app than its budget, and lists what it found until then', async () => {
    const at = (name: string) => `Payload/Sample.app/${name}`
    const files = [
      { name: at('first.dylib'), data: machO(1, 0x0c), deflate: true },
      { name: at('far.dylib'), data: writeFat([machO(2, 0x0c), machO(3, 0x07)]), deflate: true },
      { name: at('last.dylib'), data: machO(4, 0x0c), deflate: true },
    ]
    const path = join(folder, 'budget.ipa')
    writeFileSync(path, writeIpa({ files }))
    const uuids = (images: { uuid: string }[]) => images.map(({ uuid }) => uuid.slice(0, 2))
    assert.deepEqual(uuids(await readImages(path)), ['01', '03', '02', '04'])
    assert.deepEqual(uuids(await readImages(path, { maxInflatedBytes: 400_000 })), ['01'])
  })
})

/** Gives each slice of a fat file an id of its own. */
function withOwnIds(bytes: Buffer, file: number): Buffer {
  for (let slice = 0, at = 4096; at < bytes.length; at += 4096, slice++)
    bytes.fill(slice, at + 56, at + 64).fill(file, at + 64, at + 72)
  return bytes
}

/** The head of a 64-bit Mach-O with one command before the UUID. */
function machO(id: number, cpu: number, subtype = 0): Buffer {
  const bytes = Buffer.alloc(32 + 16 + 24)
  bytes.writeUInt32LE(0xfeedfacf, 0)
  bytes.writeUInt32LE(0x01000000 + cpu, 4)
  bytes.writeUInt32LE(subtype, 8)
  bytes.writeUInt32LE(2, 16)
  bytes.writeUInt32LE(40, 20)
  bytes.writeUInt32LE(0x2, 32)
  bytes.writeUInt32LE(16, 36)
  bytes.writeUInt32LE(0x1b, 48)
  bytes.writeUInt32LE(24, 52)
  bytes.fill(id, 56)
  return bytes
}

/** Slices far apart, in the opposite order of their table. */
function writeFat(slices: Buffer[], distance = 600_000): Buffer {
  const head = Buffer.alloc(8 + slices.length * 20)
  head.writeUInt32BE(0xcafebabe, 0)
  head.writeUInt32BE(slices.length, 4)
  const bytes = Buffer.alloc(distance * (slices.length + 1))
  for (const [index, slice] of slices.entries()) {
    const offset = distance * (slices.length - index)
    head.writeUInt32BE(offset, 8 + index * 20 + 8)
    slice.copy(bytes, offset)
  }
  head.copy(bytes)
  return bytes
}
