/**
 * A zip archive by positioned reads: the end record, one read of the directory, then only the entries asked for.
 *
 * Sizes, method and CRC come from the directory; the local header (30 bytes: 0 signature 50 4b 03 04 · 26 name length
 * 28 extra length) only says where the data starts, and must carry the same name. Method 8 is deflate.
 *
 * Android installs archives that are odd: an encrypted bit that means nothing, an unknown method on what is stored data of the
 * uncompressed size, a wrong CRC. Whoever opens an archive with `onOddity` reads them as Android does and is told;
 * without it each of them is an error.
 */
import { crc32 } from 'node:zlib'
import { BinaryError } from '../binary-error.ts'
import { type ByteSource, sourceOfBytes } from '../source/byte-source.ts'
import { openFile } from '../source/file-source.ts'
import { type DirectoryLimits, readDirectory, type ZipEntry } from './directory.ts'
import { readEndRecord } from './end-record.ts'
import { inflate, inflateChunks, inflateStart, longestDeflated } from './inflate.ts'

const localSignature = 0x04034b50
const localLength = 30
const chunkBytes = 256 * 1024

export interface OpenZipOptions extends Partial<DirectoryLimits> {
  /** Called with a sentence for whatever is wrong but readable. Without it, such things are errors. */
  onOddity?: (oddity: string) => void
}

/** An open archive. Disposing of it closes the file that it opened by path. */
export interface ZipArchive extends Disposable {
  /** In the order of the directory; two may have the same name. */
  readonly entries: readonly ZipEntry[]
  readonly source: ByteSource
  /** Where the directory starts, which is where the data of entries must have ended. */
  readonly directoryOffset: number
  /** The entry of this name, or undefined; two of one name are refused as `ambiguous`. */
  findEntry(name: string): ZipEntry | undefined
  /** The whole entry, inflated. Throws `too-large` past `maxBytes`, before anything of that size is allocated. */
  readEntry(entry: ZipEntry, maxBytes: number): Buffer
  /** The first bytes of an entry, inflated: up to `length`, fewer where it is shorter. Its checksum is not looked at. */
  readEntryStart(entry: ZipEntry, length: number): Buffer
  /** The inflated bytes of an entry of any size, in chunks. Throws `too-large` at the first byte past `maxBytes`. */
  streamEntry(entry: ZipEntry, maxBytes: number): AsyncGenerator<Buffer, void>
}

/** Opens an archive: a path, a file descriptor (which stays open), bytes, or another source. Throws BinaryError. */
export function openZip(file: string | number | Uint8Array | ByteSource, options: OpenZipOptions = {}): ZipArchive {
  const source = toSource(file)
  try {
    return createArchive(source, options)
  } catch (error) {
    source[Symbol.dispose]()
    throw error
  }
}

function toSource(file: string | number | Uint8Array | ByteSource): ByteSource {
  if (typeof file === 'string' || typeof file === 'number') return openFile(file)
  return file instanceof Uint8Array ? sourceOfBytes(file) : file
}

function createArchive(source: ByteSource, options: OpenZipOptions): ZipArchive {
  const { maxDirectoryBytes = 64 * 1024 * 1024, maxEntries = 200_000 } = options
  const end = readEndRecord(source)
  const entries = readDirectory(source, end, { maxDirectoryBytes, maxEntries })
  const { directoryOffset } = end
  let byName: Map<string, ZipEntry | 'twice'> | undefined

  const report = (entry: ZipEntry, oddity: string) => {
    const sentence = `${JSON.stringify(entry.name.slice(0, 200))} ${oddity}.`
    if (!options.onOddity) throw new BinaryError('malformed-zip', sentence)
    options.onOddity(sentence)
  }

  function checked(bytes: Buffer, entry: ZipEntry): Buffer {
    if (crc32(bytes) !== entry.crc32) report(entry, 'does not have the checksum that the directory gives')
    return bytes
  }

  /** An unknown method on data that is deflated all the same: the checksum tells. */
  function readMislabelled(entry: ZipEntry, offset: number, stored: Buffer): Buffer {
    const length = Math.min(entry.compressedSize, longestDeflated(entry.uncompressedSize))
    if (offset + length > directoryOffset) return checked(stored, entry)
    try {
      const inflated = inflate(source.read(offset, length), entry)
      return crc32(inflated) === entry.crc32 ? inflated : checked(stored, entry)
    } catch (error) {
      if (error instanceof BinaryError) return checked(stored, entry)
      throw error
    }
  }

  return {
    entries,
    source,
    directoryOffset,
    findEntry(name) {
      byName ??= indexByName(entries)
      const entry = byName.get(name)
      if (entry === 'twice') throw new BinaryError('ambiguous', `${JSON.stringify(name)} is there twice.`)
      return entry
    },
    readEntry(entry, maxBytes) {
      const data = locateData(source, directoryOffset, entry, report)
      if (entry.uncompressedSize > maxBytes) throw tooLarge(entry, maxBytes)
      const stored = source.read(data.offset, Math.min(data.length, longestDeflated(entry.uncompressedSize)))
      if (data.deflated) return checked(inflate(stored, entry), entry)
      const isPlain = entry.method === 0 || crc32(stored) === entry.crc32
      return isPlain ? checked(stored, entry) : readMislabelled(entry, data.offset, stored)
    },
    readEntryStart(entry, length) {
      const data = locateData(source, directoryOffset, entry, report)
      const stored = source.read(data.offset, Math.min(data.length, data.deflated ? length + 1024 : length))
      return data.deflated ? inflateStart(stored, length) : stored
    },
    async *streamEntry(entry, maxBytes) {
      const data = locateData(source, directoryOffset, entry, report)
      if (entry.uncompressedSize > maxBytes) throw tooLarge(entry, maxBytes)
      const stored = readChunks(source, data.offset, data.length)
      let length = 0
      let sum = 0
      for await (const chunk of data.deflated ? inflateChunks(stored) : stored) {
        length += chunk.length
        if (length > maxBytes) throw tooLarge(entry, maxBytes)
        if (length > entry.uncompressedSize) {
          throw new BinaryError('malformed-zip', 'An entry is longer than the directory says.')
        }
        sum = crc32(chunk, sum)
        yield chunk
      }
      if (length !== entry.uncompressedSize || sum !== entry.crc32) {
        report(entry, 'does not have the size and checksum that the directory gives')
      }
    },
    [Symbol.dispose]: () => source[Symbol.dispose](),
  }
}

function indexByName(entries: readonly ZipEntry[]): Map<string, ZipEntry | 'twice'> {
  const byName = new Map<string, ZipEntry | 'twice'>()
  for (const entry of entries) byName.set(entry.name, byName.has(entry.name) ? 'twice' : entry)
  return byName
}

interface EntryData {
  offset: number
  length: number
  deflated: boolean
}

function locateData(
  source: ByteSource,
  directoryOffset: number,
  entry: ZipEntry,
  report: (entry: ZipEntry, oddity: string) => void,
): EntryData {
  const { headerOffset, method, rawName } = entry
  const nameOffset = headerOffset + localLength
  if (nameOffset + rawName.length > directoryOffset) throw outside(entry)
  const header = source.read(headerOffset, localLength + rawName.length)
  if (header.readUInt32LE(0) !== localSignature) {
    throw new BinaryError('malformed-zip', 'An entry does not start with a local header.')
  }
  if (header.readUInt16LE(26) !== rawName.length || !header.subarray(localLength).equals(rawName)) {
    throw new BinaryError('malformed-zip', 'An entry has another name in its local header than in the directory.')
  }
  if ((entry.flags & 1) === 1) report(entry, 'is marked as encrypted')
  if (method !== 0 && method !== 8) report(entry, `has the unknown compression method ${method}`)
  const deflated = method === 8
  const offset = nameOffset + rawName.length + header.readUInt16LE(28)
  const length = deflated ? entry.compressedSize : entry.uncompressedSize
  if (offset + length > directoryOffset) throw outside(entry)
  if (!deflated && entry.compressedSize !== entry.uncompressedSize) {
    report(entry, 'is stored, but its compressed and uncompressed sizes differ')
  }
  return { offset, length, deflated }
}

function* readChunks(source: ByteSource, offset: number, length: number): Generator<Buffer> {
  for (let at = 0; at < length; at += chunkBytes) yield source.read(offset + at, Math.min(chunkBytes, length - at))
}

function tooLarge(entry: ZipEntry, maxBytes: number): BinaryError {
  return new BinaryError('too-large', `${JSON.stringify(entry.name.slice(0, 200))} has more than ${maxBytes} bytes.`)
}

function outside(entry: ZipEntry): BinaryError {
  return new BinaryError('malformed-zip', `${JSON.stringify(entry.name.slice(0, 200))} lies outside of the file.`)
}
