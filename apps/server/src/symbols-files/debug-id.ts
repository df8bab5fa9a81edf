import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { requireAt } from '@fairlead/invariant'
import { readPieces } from '../blobs/byte-pieces.ts'

/** UUIDv5 of the name `guardsquare.com` in the namespace of DNS; Sentry's tools name mappings in this namespace. */
const namespace = createUuid5(Buffer.from('6ba7b8109dad11d180b400c04fd430c8', 'hex'), Buffer.from('guardsquare.com'))

/** Reads the id that Sentry's tools give a mapping: the UUIDv5 of its bytes. */
export async function readDebugId(path: string): Promise<string> {
  const hash = createHash('sha1').update(namespace)
  for await (const chunk of readPieces(createReadStream(path))) hash.update(chunk)
  return toText(toUuid(hash.digest()))
}

function createUuid5(space: Buffer, name: Buffer): Buffer {
  return toUuid(createHash('sha1').update(space).update(name).digest())
}

function toUuid(digest: Buffer): Buffer {
  const uuid = digest.subarray(0, 16)
  uuid[6] = (requireAt(uuid, 6) & 0x0f) | 0x50
  uuid[8] = (requireAt(uuid, 8) & 0x3f) | 0x80
  return uuid
}

function toText(uuid: Buffer): string {
  return uuid.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
