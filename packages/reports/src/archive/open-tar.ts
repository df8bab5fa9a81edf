/**
 * Opens a tar archive, or a gzip of one. It is read once from start to end, and the contents of its regular files are
 * written to one temporary file, so that they can then be read in any order. A gzip of anything else counts as that one
 * file.
 */
import { openFile } from '@fairlead/binary/file-source'
import { closeSync, createReadStream, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { outOfRange } from '@fairlead/invariant'
import { writeFully } from '../details/block-writer.ts'
import type { ReportLimits } from '../limits.ts'
import { ReportsError } from '../reports-error.ts'
import { type OpenUploadOptions, orderByPath, readRange, toEntryPath, type Upload, type UploadEntry } from './upload.ts'

export const tarHeader = 512
/** The limit of extended headers, in bytes: tar-stream collects a header in memory regardless of its size. */
const maxHeaderBytes = 8 * 1024 * 1024
const headerRoom = 4096

interface SpooledEntry extends UploadEntry {
  offset: number
}

/** Whether a block is the header of a tar entry, which has the magic `ustar`. */
export function isTarHeader(block: Buffer): boolean {
  return block.length >= tarHeader && block.toString('latin1', 257, 262) === 'ustar'
}

/** Reads the archive into a temporary file, which is removed when the upload is disposed of. */
export async function openTar(path: string, isGzip: boolean, options: OpenUploadOptions): Promise<Upload> {
  const spool = join(options.folder, 'entries')
  try {
    const { entries, isArchive } = await spoolEntries(path, isGzip, spool, options.limits)
    return toUpload(spool, entries, isArchive)
  } catch (error) {
    rmSync(spool, { force: true })
    throw error
  }
}

async function spoolEntries(path: string, isGzip: boolean, spool: string, limits: ReportLimits) {
  const file = openSync(spool, 'wx')
  try {
    const chunks = readInflated(path, isGzip, limits.maxInflatedBytes)
    const first = await readFirstBlock(chunks)
    if (!isTarHeader(first)) {
      writeFully(file, first)
      let size = first.length
      for await (const chunk of chunks) {
        writeFully(file, chunk)
        size += chunk.length
      }
      return { entries: [{ path: '', size, offset: 0 }], isArchive: false }
    }
    return { entries: await readEntries(first, chunks, file, limits), isArchive: true }
  } finally {
    closeSync(file)
  }
}

/** Streams the file, inflated if it is a gzip. */
async function* readInflated(path: string, isGzip: boolean, maxBytes: number): AsyncGenerator<Buffer, void> {
  const input = createReadStream(path, { highWaterMark: 256 * 1024 })
  const gunzip = isGzip ? createGunzip({ chunkSize: 256 * 1024 }) : null
  if (gunzip) {
    input.on('error', (error) => gunzip.destroy(error))
    input.pipe(gunzip)
  }
  let length = 0
  try {
    for await (const chunk of (gunzip ?? input) as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length > maxBytes)
        throw new ReportsError('too-large', `The archive has more than ${maxBytes} bytes, inflated.`)
      yield chunk
    }
  } catch (cause) {
    if (cause instanceof ReportsError) throw cause
    throw new ReportsError('malformed-archive', 'It cannot be inflated.', {}, { cause })
  } finally {
    input.destroy()
    gunzip?.destroy()
  }
}

async function readFirstBlock(chunks: AsyncGenerator<Buffer, void>): Promise<Buffer> {
  let block: Buffer = Buffer.alloc(0)
  while (block.length < tarHeader) {
    const next = await chunks.next()
    if (next.done) break
    block = Buffer.concat([block, next.value])
  }
  return block
}

async function readEntries(
  first: Buffer,
  rest: AsyncGenerator<Buffer, void>,
  file: number,
  limits: ReportLimits,
): Promise<SpooledEntry[]> {
  const entries: SpooledEntry[] = []
  let given = 0
  let taken = 0
  let offset = 0
  async function* feed(): AsyncGenerator<Buffer, void> {
    for await (const chunk of prepend(first, rest)) {
      given += chunk.length
      if (given - taken > maxHeaderBytes) throw new ReportsError('too-large', 'A header of the archive is too long.')
      yield chunk
    }
  }
  // Loading it takes as long as reading a small report, and few uploads are tar archives.
  const { extract } = await import('tar-stream')
  const parser = extract()
  const input = Readable.from(feed(), { objectMode: false })
  input.on('error', (error) => parser.destroy(error))
  input.pipe(parser)
  try {
    let count = 0
    for await (const entry of parser) {
      const { name, type, size = 0 } = entry.header
      if (++count > limits.maxEntries)
        throw new ReportsError('too-large', `The archive has over ${limits.maxEntries} entries.`)
      if (size < 0 || size > limits.maxInflatedBytes) {
        throw new ReportsError('too-large', 'An entry of the archive is too long.', { source: toEntryPath(name) })
      }
      const isKept = (type === 'file' || type === 'contiguous-file') && toEntryPath(name) !== ''
      if (isKept) entries.push({ path: toEntryPath(name), size, offset })
      for await (const chunk of entry as AsyncIterable<Buffer>) {
        taken += chunk.length
        if (isKept) writeFully(file, chunk)
      }
      taken += headerRoom
      if (isKept) offset += size
    }
  } catch (cause) {
    if (cause instanceof ReportsError) throw cause
    throw new ReportsError('malformed-archive', cause instanceof Error ? `${cause.message}.` : '', {}, { cause })
  } finally {
    input.destroy()
    parser.destroy()
  }
  return entries.sort(orderByPath)
}

async function* prepend(first: Buffer, rest: AsyncGenerator<Buffer, void>): AsyncGenerator<Buffer, void> {
  yield first
  yield* rest
}

function toUpload(spool: string, entries: SpooledEntry[], isArchive: boolean): Upload {
  const source = openFile(spool)
  const offsets = new Map<UploadEntry, number>(entries.map((entry) => [entry, entry.offset]))
  const requireOffset = (entry: UploadEntry) => offsets.get(entry) ?? outOfRange()
  return {
    isArchive,
    entries,
    readStart: (entry, length) => source.read(requireOffset(entry), Math.min(length, entry.size)),
    async *stream(entry, maxBytes) {
      if (entry.size > maxBytes) {
        throw new ReportsError('too-large', `It has more than ${maxBytes} bytes.`, { source: entry.path })
      }
      yield* readRange(source, requireOffset(entry), entry.size)
    },
    [Symbol.dispose]() {
      source[Symbol.dispose]()
      rmSync(spool, { force: true })
    },
  }
}
