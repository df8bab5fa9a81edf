import { closeSync, openSync, rmSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { createZstdDecompress } from 'node:zlib'
import type { AttachmentResolver, FoundAttachment, Row, RowAttachment } from '../cases/row.ts'
import { spend, type WriteBudget, writeFully } from '../details/block-writer.ts'
import type { ReportLimits } from '../limits.ts'
import type { ExtractedAttachment } from '../report.ts'
import { ReportsError } from '../reports-error.ts'
import type { Warnings } from '../warnings.ts'
import { createPathIndex, type PathIndex } from './path-index.ts'
import type { Upload, UploadEntry } from './upload.ts'

interface Wanted {
  entry: UploadEntry
  contentType: string | null
  isZstd: boolean
}

interface StoreParts {
  upload: Upload
  folder: string
  budget: WriteBudget
  limits: ReportLimits
  warnings: Warnings
}

/** Finds the attachments that cases name inside the upload, and copies them to the folder at the end. */
export class AttachmentStore implements AttachmentResolver {
  readonly #parts: StoreParts
  readonly #index: PathIndex
  /**
   * The sources by the number that `AttachmentReference.file` holds: entries to copy, and `data:` URIs, which are
   * already copied.
   */
  readonly #files: (Wanted | ExtractedAttachment)[] = []
  readonly #numbers = new Map<UploadEntry, number>()

  constructor(parts: StoreParts) {
    this.#parts = parts
    this.#index = createPathIndex(parts.upload.isArchive ? parts.upload.entries : [])
  }

  /** Finds the attachments of a row, and AGP's log of the case if the archive contains one. */
  resolve(row: Row, source: string): FoundAttachment[] {
    const { isArchive } = this.#parts.upload
    if (!isArchive && row.attachments.length === 0) return []
    const { maxPartsPerCase } = this.#parts.limits
    if (row.attachments.length > maxPartsPerCase) {
      throw new ReportsError('too-large', `A case has more than ${maxPartsPerCase} attachments.`)
    }
    const found = row.attachments.map((attachment) => this.#resolveOne(attachment, source))
    if (!isArchive || row.class === null) return found
    const logcat = `logcat-${row.class}-${row.name}.txt`
    const log = this.#index.find(logcat, source)
    if (!log) return found
    return [
      ...found,
      { name: 'logcat', path: log.path, contentType: 'text/plain', file: this.#want(log, 'text/plain', false) },
    ]
  }

  /** Copies the entries that were found. An attachment that is too large is left out with a warning. */
  async extract(): Promise<ExtractedAttachment[]> {
    const extracted: ExtractedAttachment[] = []
    for (const [number, file] of this.#files.entries()) {
      if ('sha256' in file) extracted.push(file)
      else extracted.push(await this.#copy(file, number))
    }
    return extracted
  }

  #resolveOne({ name, path, contentType, isZstd = false }: RowAttachment, source: string): FoundAttachment {
    const { limits, warnings } = this.#parts
    if (/^data:/i.test(path)) return this.#keepData(name, path)
    const label = (name ?? path.split(/[/\\]/).at(-1) ?? path).slice(0, limits.maxNameCharacters)
    const reference = { name: label, path: path.slice(0, limits.maxNameCharacters), contentType }
    if (/^(?!file:)[a-z][a-z0-9+.-]+:\/\//i.test(path)) return { ...reference, file: null }
    const entry = this.#index.find(path, source)
    if (entry) return { ...reference, file: this.#want(entry, contentType, isZstd) }
    if (!isZstd) {
      warnings.add('attachmentMissing', source, null, `${JSON.stringify(path.slice(0, 200))} is not in the upload.`)
    }
    return { ...reference, file: null }
  }

  #want(entry: UploadEntry, contentType: string | null, isZstd: boolean): number {
    const known = this.#numbers.get(entry)
    if (known !== undefined) return known
    this.#numbers.set(entry, this.#files.length)
    return this.#files.push({ entry, contentType, isZstd }) - 1
  }

  #keepData(name: string | null, uri: string): FoundAttachment {
    const comma = uri.indexOf(',')
    const media = uri.slice(5, comma === -1 ? 5 : Math.min(comma, 300))
    const contentType = media.split(';')[0]?.trim().toLowerCase() || 'text/plain'
    const bytes = decodeData(uri.slice(comma + 1), /;\s*base64\s*$/i.test(media))
    const reference = { name: name ?? 'data', path: `data:${media}`, contentType }
    if (comma === -1 || bytes === null) return { ...reference, file: null }
    const number = this.#files.length
    const path = join(this.#parts.folder, `attachment-${number}`)
    spend(this.#parts.budget, bytes.length)
    const file = openSync(path, 'wx')
    writeFully(file, bytes)
    closeSync(file)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    this.#files.push({ source: `data:${media}`, path, size: bytes.length, sha256, contentType })
    return { ...reference, file: number }
  }

  async #copy({ entry, contentType, isZstd }: Wanted, number: number): Promise<ExtractedAttachment> {
    const { upload, folder, budget, limits, warnings } = this.#parts
    const path = join(folder, `attachment-${number}`)
    const hash = createHash('sha256')
    const file = openSync(path, 'wx')
    // A zstd frame of zeros inflates 30,000-fold; real attachments stay far below a thousandfold.
    const most = isZstd ? Math.min(limits.maxAttachmentBytes, 2 ** 20 + entry.size * 1000) : limits.maxAttachmentBytes
    let size = 0
    try {
      const stored = upload.stream(entry, limits.maxInflatedBytes)
      for await (const chunk of isZstd ? inflateZstd(stored) : stored) {
        size += chunk.length
        if (size > most) break
        spend(budget, chunk.length)
        hash.update(chunk)
        writeFully(file, chunk)
      }
    } finally {
      closeSync(file)
    }
    if (size > most) {
      rmSync(path)
      const detail = `It has more than ${most} bytes and was left out.`
      warnings.add('attachmentTooLarge', entry.path, null, detail)
      return { source: entry.path, path: '', size: 0, sha256: '', contentType }
    }
    return { source: entry.path, path, size, sha256: hash.digest('hex'), contentType }
  }
}

/** Decodes a `data:` URI; null if it is malformed. */
function decodeData(text: string, isBase64: boolean): Buffer | null {
  if (isBase64) return /^[\sA-Za-z0-9+/_-]*={0,2}\s*$/.test(text) ? Buffer.from(text, 'base64') : null
  try {
    return Buffer.from(decodeURIComponent(text))
  } catch {
    return null
  }
}

async function* inflateZstd(stored: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  const input = Readable.from(copyChunks(stored), { objectMode: false })
  const output = createZstdDecompress({ chunkSize: 256 * 1024 })
  input.on('error', (error) => output.destroy(error))
  input.pipe(output)
  try {
    yield* output as AsyncIterable<Buffer>
  } catch (cause) {
    if (cause instanceof ReportsError) throw cause
    throw new ReportsError('malformed-archive', 'An attachment is no zstd frame.', {}, { cause })
  } finally {
    input.destroy()
    output.destroy()
  }
}

/** Copies each chunk, which is valid only until the next one, because a stream buffers several of them. */
async function* copyChunks(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  for await (const chunk of chunks) yield Buffer.from(chunk)
}
