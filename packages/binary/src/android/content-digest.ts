/**
 * Computes the digest that signature schemes v2 and later sign. The contents up to the signing block, the directory and
 * the end record are each cut into chunks of 1 MB. Each chunk is hashed after the byte a5 and its length (u32); then
 * all chunk hashes are hashed together after the byte 5a and their count (u32). In the end record, the directory's
 * offset is replaced by the offset of the signing block.
 * Source: Android's documentation of APK Signature Scheme v2, "Integrity-protected contents".
 */
import { createHash, type Hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { ZipArchive } from '../zip/zip.ts'

const chunkSize = 1024 * 1024
/** Number of chunks hashed before the event loop gets a turn. */
const chunksPerTurn = 16

export type HashName = 'sha256' | 'sha512'

/** Reads the whole file once, chunk by chunk, and computes every requested hash. */
export async function digestContents(
  apk: ZipArchive,
  blockOffset: number,
  names: HashName[],
): Promise<Map<HashName, Buffer>> {
  const { source, directoryOffset, endOffset } = apk
  const end = Buffer.from(source.read(endOffset, source.size - endOffset))
  end.writeUInt32LE(blockOffset, 16)
  const chunks = [...cut(0, blockOffset), ...cut(directoryOffset, endOffset)]
  const digesters = names.map((name) => createDigester(name, chunks.length + 1))
  const buffer = Buffer.allocUnsafe(chunkSize)
  for (const [index, { offset, length }] of chunks.entries()) {
    const bytes = source.read(offset, length, buffer)
    for (const digester of digesters) digester.add(bytes)
    if (index % chunksPerTurn === chunksPerTurn - 1) await setImmediate()
  }
  return new Map(
    digesters.map(({ name, add, finish }) => {
      add(end)
      return [name, finish()]
    }),
  )
}

interface Range {
  offset: number
  length: number
}

function cut(start: number, end: number): Range[] {
  const count = Math.ceil((end - start) / chunkSize)
  return Array.from({ length: count }, (_, index) => {
    const offset = start + index * chunkSize
    return { offset, length: Math.min(chunkSize, end - offset) }
  })
}

interface Digester {
  name: HashName
  add: (chunk: Buffer) => void
  finish: () => Buffer
}

function createDigester(name: HashName, count: number): Digester {
  const all = startHash(name, 0x5a, count)
  return {
    name,
    add: (chunk) => void all.update(startHash(name, 0xa5, chunk.length).update(chunk).digest()),
    finish: () => all.digest(),
  }
}

function startHash(name: HashName, prefix: number, length: number): Hash {
  const start = Buffer.alloc(5)
  start.writeUInt8(prefix)
  start.writeUInt32LE(length, 1)
  return createHash(name).update(start)
}
