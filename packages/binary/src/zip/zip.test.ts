import assert from 'node:assert/strict'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { openTemporaryFolder } from '../../test/temporary-folder.ts'
import { writeSparseApk, writeZip } from '../fixture/fixture.ts'
import { BinaryError, openZip, type ZipArchive } from '../index.ts'
import type { BinaryErrorCode } from '../binary-error.ts'
import { sourceOfBytes } from '../source/byte-source.ts'

const files = [
  { name: 'stored.txt', data: Buffer.from('as it is') },
  { name: 'deflated.txt', data: Buffer.from('again and '.repeat(1000)), deflate: true },
  { name: 'empty', data: Buffer.alloc(0) },
]

const hasCode = (code: BinaryErrorCode) => (error: unknown) => error instanceof BinaryError && error.code === code

function requireEntry(archive: ZipArchive, name: string) {
  return archive.findEntry(name) ?? assert.fail(`no ${name}`)
}

/** Returns the offset of an entry's record in the directory. */
function findRecord(bytes: Buffer, name: string): number {
  return bytes.lastIndexOf(name) - 46
}

async function collect(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(chunks))
}

describe('a zip archive', () => {
  test('opens from a path, a descriptor, bytes or a source', () => {
    using folder = openTemporaryFolder()
    const bytes = writeZip(files)
    const path = folder.write('a.zip', bytes)
    const descriptor = openSync(path, 'r')
    for (const file of [path, descriptor, bytes, sourceOfBytes(bytes)]) {
      using archive = openZip(file)
      assert.deepEqual(
        archive.entries.map(({ name }) => name),
        ['stored.txt', 'deflated.txt', 'empty'],
      )
    }
    assert.equal(readFileSync(descriptor).length, bytes.length, 'the descriptor is still open')
    closeSync(descriptor)
  })

  test('returns entries whole, in chunks, or only their first bytes', async () => {
    using archive = openZip(writeZip(files))
    for (const { name, data } of files) {
      const entry = requireEntry(archive, name)
      assert.deepEqual(archive.readEntry(entry, 100_000), data)
      assert.deepEqual(await collect(archive.streamEntry(entry, 100_000)), data)
      assert.deepEqual(archive.readEntryStart(entry, 5), data.subarray(0, 5))
    }
    assert.equal(archive.findEntry('missing'), undefined)
  })

  test('finds the end record before a comment and not a decoy inside the comment', () => {
    const bytes = writeZip(files)
    const decoy = Buffer.concat([Buffer.from('PK\x05\x06', 'latin1'), Buffer.alloc(40)])
    bytes.writeUInt16LE(decoy.length, bytes.length - 2)
    using archive = openZip(Buffer.concat([bytes, decoy]))
    assert.equal(archive.entries.length, 3)
  })

  test('is read by its zip64 records if it is larger than 4 GB', () => {
    using folder = openTemporaryFolder()
    const path = folder.path('big.apk')
    writeSparseApk(path, 5 * 1024 ** 3)
    using archive = openZip(path)
    const entry = requireEntry(archive, 'assets/big.bin')
    assert.equal(entry.uncompressedSize, 5 * 1024 ** 3)
    assert.deepEqual(archive.readEntryStart(entry, 4), Buffer.alloc(4))
  })

  test('never returns more than maxBytes of an entry', async () => {
    using archive = openZip(writeZip(files))
    const entry = requireEntry(archive, 'deflated.txt')
    assert.throws(() => archive.readEntry(entry, 9999), hasCode('too-large'))
    await assert.rejects(collect(archive.streamEntry(entry, 9999)), hasCode('too-large'))
  })

  test('stops at the declared size of an entry even if the caller allows more', async () => {
    const bytes = writeZip(files)
    bytes.writeUInt32LE(100, findRecord(bytes, 'deflated.txt') + 24)
    using archive = openZip(bytes)
    const entry = requireEntry(archive, 'deflated.txt')
    assert.throws(() => archive.readEntry(entry, 1e9), hasCode('malformed-zip'))
    await assert.rejects(collect(archive.streamEntry(entry, 1e9)), hasCode('malformed-zip'))
  })

  test('reports a wrong checksum as an error, or through onOddity if it is given', async () => {
    const bytes = writeZip(files)
    bytes.writeUInt32LE(1, findRecord(bytes, 'stored.txt') + 16)
    using strict = openZip(bytes)
    assert.throws(() => strict.readEntry(requireEntry(strict, 'stored.txt'), 100), hasCode('malformed-zip'))
    await assert.rejects(collect(strict.streamEntry(requireEntry(strict, 'stored.txt'), 100)), hasCode('malformed-zip'))
    const oddities: string[] = []
    using lenient = openZip(bytes, { onOddity: (oddity) => oddities.push(oddity) })
    assert.equal(lenient.readEntry(requireEntry(lenient, 'stored.txt'), 100).toString(), 'as it is')
    assert.match(oddities.join('\n'), /"stored\.txt" does not have the checksum/)
  })

  test('reads an unknown method as stored or deflated, whichever matches the checksum', () => {
    for (const { name, data } of files) {
      const bytes = writeZip(files)
      bytes.writeUInt16LE(0x7600, findRecord(bytes, name) + 10)
      using archive = openZip(bytes, { onOddity: () => {} })
      assert.deepEqual(archive.readEntry(requireEntry(archive, name), 100_000), data)
    }
  })

  test('refuses to choose between two entries of one name', () => {
    using archive = openZip(writeZip([...files, { name: 'stored.txt', data: Buffer.from('other') }]))
    assert.throws(() => archive.findEntry('stored.txt'), hasCode('ambiguous'))
    assert.equal(archive.findEntry('empty')?.name, 'empty')
  })

  test('enforces the limits for its directory', () => {
    assert.throws(() => openZip(writeZip(files), { maxEntries: 2 }), hasCode('too-large'))
    assert.throws(() => openZip(writeZip(files), { maxDirectoryBytes: 50 }), hasCode('too-large'))
  })

  test('is refused if it is truncated anywhere', () => {
    const bytes = writeZip(files)
    for (let length = 0; length < bytes.length; length++) {
      assert.throws(() => openZip(bytes.subarray(0, length)), BinaryError)
    }
  })
})
