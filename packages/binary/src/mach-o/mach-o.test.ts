import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { hasMachOMagic, parseFatHeader, parseMachOHeader } from '../index.ts'

function writeFatHeader(slices: readonly (readonly [cpuType: number, cpuSubtype: number])[]): Buffer {
  const bytes = Buffer.alloc(8 + slices.length * 20)
  bytes.writeUInt32BE(0xcafebabe, 0)
  bytes.writeUInt32BE(slices.length, 4)
  for (const [index, [cpuType, cpuSubtype]] of slices.entries()) {
    bytes.writeUInt32BE(cpuType, 8 + index * 20)
    bytes.writeUInt32BE(cpuSubtype, 12 + index * 20)
    bytes.writeUInt32BE(4096 * (index + 1), 16 + index * 20)
  }
  return bytes
}

function writeHeader(cpuType: number, cpuSubtype: number): Buffer {
  const bytes = Buffer.alloc(32)
  for (const [index, value] of [0xfeedfacf, cpuType, cpuSubtype, 2, 3, 72].entries())
    bytes.writeUInt32LE(value, index * 4)
  return bytes
}

describe('the header of a Mach-O file', () => {
  it('names the architecture by CPU type and subtype, whatever capabilities the subtype has', () => {
    const name = (cpuType: number, cpuSubtype: number) =>
      parseMachOHeader(writeHeader(cpuType, cpuSubtype))?.architecture
    assert.equal(name(0x01000007, 3), 'x86_64')
    assert.equal(name(0x01000007, 8), 'x86_64h')
    assert.equal(name(0x0100000c, 0), 'arm64')
    assert.equal(name(0x0100000c, 0x80000002), 'arm64e')
    assert.equal(name(0x0200000c, 1), 'arm64_32')
    assert.equal(name(0x0000000c, 9), 'armv7')
    assert.equal(name(99, 0), undefined)
  })

  it('gives the number and the offset of the load commands', () => {
    const header = parseMachOHeader(writeHeader(0x0100000c, 0))
    assert.deepEqual([header?.commandCount, header?.commandBytes, header?.commandsOffset], [3, 72, 32])
  })

  it('is not found in other bytes', () => {
    assert.equal(parseMachOHeader(Buffer.alloc(32)), undefined)
    assert.equal(parseMachOHeader(writeHeader(7, 0).subarray(0, 20)), undefined)
    assert.equal(hasMachOMagic(Buffer.from('PK\u0003\u0004')), false)
  })
})

describe('the header of a fat file', () => {
  it('lists its slices', () => {
    const fat = parseFatHeader(
      writeFatHeader([
        [0x0100000c, 0],
        [0x01000007, 8],
      ]),
    )
    assert.equal(fat?.count, 2)
    assert.deepEqual(
      fat.slices.map(({ offset }) => offset),
      [4096, 8192],
    )
  })

  it('lists no slice for a Java class, and only whole records of a header that breaks off', () => {
    const javaClass = Buffer.from('cafebabe00000034001d0a0006000f09', 'hex')
    assert.deepEqual(parseFatHeader(javaClass), { count: 0x34, slices: [] })
    const cut = parseFatHeader(
      writeFatHeader([
        [12, 9],
        [12, 11],
      ]).subarray(0, 40),
    )
    assert.deepEqual([cut?.count, cut?.slices.length], [2, 1])
    assert.equal(parseFatHeader(writeHeader(12, 9)), undefined)
  })
})
