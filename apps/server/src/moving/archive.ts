/**
 * The archive of a move: a tar file that every tar program reads.
 *
 * - `manifest.json`: format, time, last migration, the workspace or null for all, tables with their numbers of rows;
 * - `rows/{table}.ndjson`: one JSON object a row, bytes as `{"$bytes": base64}`;
 * - `blobs/{key}`: the bytes of builds, icons, symbols, …; a key begins with their SHA-256;
 * - `SHA256SUMS`: the digest of every entry before it, as `sha256sum` writes them. An archive without it is unfinished.
 */
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { truncate } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import tar from 'tar-stream'
import { z } from 'zod'

export const Manifest = z.object({
  format: z.literal('fairlead-archive-1'),
  createdDate: z.string(),
  version: z.string(),
  workspaceId: z.int().nullable(),
  tables: z.array(z.object({ name: z.string().regex(/^\w{1,60}$/), count: z.int().min(0) })).max(500),
})
export type Manifest = z.infer<typeof Manifest>

const sumsName = 'SHA256SUMS'
const blockSize = 512

/** The usable part of an unfinished archive: its complete entries with their digests. */
export interface WrittenPart {
  sums: Map<string, string>
  /** The offset of the next entry, in bytes. */
  end: number
}

/** Writes entries one after the other, at the end of what an earlier run left. */
export class ArchiveWriter implements AsyncDisposable {
  readonly sums: Map<string, string>
  readonly #pack = tar.pack({ highWaterMark: 2 ** 20 })
  readonly #written: Promise<void>

  constructor(path: string, { sums, end }: WrittenPart) {
    this.sums = new Map(sums)
    const file = createWriteStream(path, { flags: end === 0 ? 'w' : 'r+', start: end, mode: 0o600 })
    this.#written = pipeline(this.#pack, file)
    this.#written.catch(() => {})
  }

  /** Adds an entry of exactly `size` bytes. */
  async add(name: string, size: number, content: Readable): Promise<void> {
    const hash = createHash('sha256')
    const entry = this.#pack.entry({ name, size, mtime: new Date(0), mode: 0o600 })
    await pipeline(
      content,
      async function* (source: AsyncIterable<Buffer>) {
        for await (const chunk of source) {
          hash.update(chunk)
          yield chunk
        }
      },
      entry,
    )
    this.sums.set(name, hash.digest('hex'))
  }

  /** Adds the digests and ends the archive; it is complete when this resolves. */
  async finish(): Promise<void> {
    const text = [...this.sums].map(([name, sum]) => `${sum}  ${name}\n`).join('')
    await this.add(sumsName, Buffer.byteLength(text), Readable.from([Buffer.from(text)]))
    this.#pack.finalize()
    await this.#written
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#pack.destroy()
    await this.#written.catch(() => {})
  }
}

export interface ArchiveEntry {
  name: string
  size: number
  /** The caller must read the content to its end before it asks for the next entry. */
  content: Readable
}

/** The entries of an archive in their order. An entry that is not read is skipped. @throws for a damaged archive */
export async function* readArchive(path: string): AsyncGenerator<ArchiveEntry> {
  const extract = tar.extract()
  const file = createReadStream(path, { highWaterMark: 2 ** 20 })
  const feeding = pipeline(file, extract)
  feeding.catch(() => {})
  for await (const entry of extract) {
    yield { name: entry.header.name, size: entry.header.size ?? 0, content: entry }
    entry.resume()
  }
  await feeding
}

/** Reads the archive that an interrupted export left, keeps its complete entries and truncates the rest. */
export async function resumeArchive(path: string): Promise<WrittenPart> {
  const part: WrittenPart = { sums: new Map(), end: 0 }
  try {
    for await (const { name, size, content } of readArchive(path)) {
      const hash = createHash('sha256')
      let read = 0
      for await (const chunk of content as AsyncIterable<Buffer>) {
        hash.update(chunk)
        read += chunk.length
      }
      if (read !== size) break
      // The run may have ended after this entry; the new run writes the digests again.
      if (name === sumsName) break
      part.sums.set(name, hash.digest('hex'))
      part.end += blockSize + Math.ceil(size / blockSize) * blockSize
    }
  } catch {
    // The file ends in the middle of an entry, and the new run writes that entry again.
  }
  if (part.end > 0) await truncate(path, part.end).catch(() => {})
  return part
}

/** Compares every entry with the digests at the end, and the digests of blobs with their names. @throws {Error} */
export async function verifyArchive(
  path: string,
  onEntry: (name: string, size: number) => void = () => {},
): Promise<Manifest> {
  try {
    return await verifyEntries(path, onEntry)
  } catch (error) {
    throw nameArchive(path, error)
  }
}

/** Names the archive in an error of the system or of the reader of tar files, whose words leave the file out. */
function nameArchive(path: string, error: unknown): unknown {
  if (!(error instanceof Error)) return error
  if ('code' in error && error.code === 'ENOENT') return new Error(`${path} does not exist`, { cause: error })
  if (!/^(Invalid tar header|Unexpected end of data)/.test(error.message)) return error
  return new Error(`${path} is no archive of "fairlead-server export", or it is damaged`, { cause: error })
}

async function verifyEntries(path: string, onEntry: (name: string, size: number) => void): Promise<Manifest> {
  const seen = new Map<string, string>()
  let sums: string | undefined
  let manifest: Manifest | undefined
  for await (const { name, size, content } of readArchive(path)) {
    onEntry(name, size)
    if (name === sumsName || name === 'manifest.json') {
      const text = Buffer.concat(await Array.fromAsync(content as AsyncIterable<Buffer>)).toString('utf8')
      if (name === sumsName) sums = text
      else manifest = Manifest.parse(JSON.parse(text))
      seen.set(name, createHash('sha256').update(text).digest('hex'))
      continue
    }
    const hash = createHash('sha256')
    content.on('data', (chunk: Buffer) => hash.update(chunk))
    await finished(content)
    const digest = hash.digest('hex')
    if (name.startsWith('blobs/') && !name.startsWith(`blobs/${digest}`)) throw new Error(`${name} has other bytes`)
    seen.set(name, digest)
  }
  if (sums === undefined || manifest === undefined)
    throw new Error('The archive is not finished; run the export again.')
  for (const line of sums.split('\n').filter(Boolean)) {
    const name = line.slice(66)
    if (seen.get(name) !== line.slice(0, 64)) throw new Error(`${name} is damaged or missing`)
    seen.delete(name)
  }
  seen.delete(sumsName)
  if (seen.size > 0) throw new Error(`${[...seen.keys()][0]} is not in ${sumsName}`)
  return manifest
}
