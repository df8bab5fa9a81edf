/**
 * Reads a zip archive by positioned reads: the end record, one read of the directory, then only the requested entries.
 *
 * Android installs malformed archives: with an encrypted bit that has no effect, with an unknown method on stored data,
 * or with a wrong CRC. With `onOddity` such an archive is read as Android reads it and each oddity is reported; without
 * it each of them is an error.
 */
import { crc32 } from 'node:zlib'
import { BinaryError } from '../binary-error.ts'
import { type ByteSource, sourceOfBytes } from '../source/byte-source.ts'
import { openFile } from '../source/file-source.ts'
import { type DirectoryLimits, readDirectory, type ZipEntry } from './directory.ts'
import { readEndRecord } from './end-record.ts'
import { isKnownMethod, locateData, readData, readMislabelled } from './entry-data.ts'
import { inflateChunks, inflateStart } from './inflate.ts'

const chunkBytes = 256 * 1024
const lookupsBeforeIndex = 16
/** Deflate may need this many bytes of input before it gives the first byte of output. */
const longestPreamble = 512

export interface OpenZipOptions extends Partial<DirectoryLimits> {
  /** Called with a sentence for each fault that does not prevent reading. Without it, such faults are errors. */
  onOddity?: (oddity: string) => void
}

/** An open archive. Disposing of it closes the file if it was opened by path. */
export interface ZipArchive extends Disposable {
  /** Entries in the order of the directory; two may have the same name. */
  readonly entries: readonly ZipEntry[]
  readonly source: ByteSource
  /** Offset of the directory; the data of all entries ends before it. */
  readonly directoryOffset: number
  readonly directorySize: number
  /** Offset of the end record. */
  readonly endOffset: number
  /**
   * Finds the entry with this name.
   *
   * @throws BinaryError `ambiguous` if there are two.
   */
  findEntry(name: string): ZipEntry | undefined
  /** Locates the data of a stored entry in the archive; undefined if the entry is compressed. */
  locateStored(entry: ZipEntry): { offset: number; length: number } | undefined
  /**
   * Reads and inflates a whole entry.
   *
   * @throws BinaryError `too-large` past `maxBytes`, before anything of that size is allocated; `malformed-zip`.
   */
  readEntry(entry: ZipEntry, maxBytes: number): Buffer
  /** Inflates up to `length` bytes from the start of an entry, without checking its checksum. */
  readEntryStart(entry: ZipEntry, length: number): Buffer
  /**
   * Inflates an entry of any size in chunks.
   *
   * @throws BinaryError `too-large` at the first byte past `maxBytes`; `malformed-zip`.
   */
  streamEntry(entry: ZipEntry, maxBytes: number): AsyncGenerator<Buffer, void>
}

/**
 * Opens an archive from a path, a file descriptor (which stays open), bytes, or another source.
 *
 * @throws BinaryError `unreadable`, `not-a-zip`, `malformed-zip`, `unsupported-zip` or `too-large`.
 */
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
  const directory = readDirectory(source, end, { maxDirectoryBytes, maxEntries })
  const { entries } = directory

  const report = (entry: ZipEntry, oddity: string) => {
    const sentence = `${JSON.stringify(entry.name.slice(0, 200))} ${oddity}.`
    if (!options.onOddity) throw new BinaryError('malformed-zip', sentence)
    options.onOddity(sentence)
  }

  return {
    entries,
    source,
    directoryOffset: directory.offset,
    directorySize: end.directorySize,
    endOffset: end.offset,
    findEntry: createFinder(entries),
    locateStored(entry) {
      const { offset, length, deflated } = locateData(source, directory, entry, report)
      return deflated ? undefined : { offset, length }
    },
    readEntry(entry, maxBytes) {
      const data = locateData(source, directory, entry, report)
      if (entry.uncompressedSize > maxBytes) throw tooLarge(entry, maxBytes)
      const read = (deflated: boolean) => readData(source, data, entry, deflated)
      const bytes = isKnownMethod(entry) ? read(data.deflated) : readMislabelled(entry, read)
      if (crc32(bytes) !== entry.crc32) report(entry, 'does not have the checksum that the directory gives')
      return bytes
    },
    readEntryStart(entry, length) {
      const data = locateData(source, directory, entry, report)
      const stored = source.read(data.offset, Math.min(data.length, data.deflated ? length + longestPreamble : length))
      return data.deflated ? inflateStart(stored, length) : stored
    },
    async *streamEntry(entry, maxBytes) {
      const data = locateData(source, directory, entry, report)
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

/** Builds an index only after a few lookups, because most archives are asked for a handful of entries. */
function createFinder(entries: readonly ZipEntry[]): ZipArchive['findEntry'] {
  let lookups = 0
  let byName: Map<string, ZipEntry[]> | undefined
  return (name) => {
    if (++lookups > lookupsBeforeIndex) byName ??= Map.groupBy(entries, (entry) => entry.name)
    const found = byName ? (byName.get(name) ?? []) : entries.filter((entry) => entry.name === name)
    if (found.length > 1) throw new BinaryError('ambiguous', `${JSON.stringify(name)} occurs twice.`)
    return found[0]
  }
}

function* readChunks(source: ByteSource, offset: number, length: number): Generator<Buffer> {
  for (let at = 0; at < length; at += chunkBytes) yield source.read(offset + at, Math.min(chunkBytes, length - at))
}

function tooLarge(entry: ZipEntry, maxBytes: number): BinaryError {
  return new BinaryError('too-large', `${JSON.stringify(entry.name.slice(0, 200))} has more than ${maxBytes} bytes.`)
}
