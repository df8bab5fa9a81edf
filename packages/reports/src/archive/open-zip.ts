import type { ZipEntry } from '@fairlead/binary'
import { openZip, type ZipArchive } from '@fairlead/binary/zip'
import { ReportsError } from '../reports-error.ts'
import { toReportsError } from './archive-error.ts'
import { type OpenUploadOptions, orderByPath, toEntryPath, type Upload, type UploadEntry } from './upload.ts'

/** Opens a zip archive by its central directory. */
export function openZipUpload(path: string, { limits }: OpenUploadOptions): Upload {
  const zip = openZip(path, { maxEntries: limits.maxEntries })
  try {
    return toUpload(zip, limits.maxInflatedBytes)
  } catch (error) {
    zip[Symbol.dispose]()
    throw error
  }
}

function toUpload(zip: ZipArchive, maxInflatedBytes: number): Upload {
  const files = zip.entries.filter(({ name }) => !name.endsWith('/') && toEntryPath(name) !== '')
  const inflated = files.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0)
  if (inflated > maxInflatedBytes) {
    throw new ReportsError('too-large', `The archive has more than ${maxInflatedBytes} bytes, inflated.`)
  }
  const byEntry = new Map<UploadEntry, ZipEntry>(
    files.map((file) => [{ path: toEntryPath(file.name), size: file.uncompressedSize }, file]),
  )
  const requireFile = (entry: UploadEntry): ZipEntry => {
    const file = byEntry.get(entry)
    if (!file) throw new TypeError('The entry belongs to another upload.')
    return file
  }
  return {
    isArchive: true,
    entries: [...byEntry.keys()].sort(orderByPath),
    readStart(entry, length) {
      return mapErrors(() => zip.readEntryStart(requireFile(entry), length), entry)
    },
    async *stream(entry, maxBytes) {
      try {
        yield* zip.streamEntry(requireFile(entry), maxBytes)
      } catch (error) {
        throw withPath(toReportsError(error), entry)
      }
    },
    [Symbol.dispose]: () => zip[Symbol.dispose](),
  }
}

function mapErrors<T>(read: () => T, entry: UploadEntry): T {
  try {
    return read()
  } catch (error) {
    throw withPath(toReportsError(error), entry)
  }
}

function withPath(error: unknown, { path }: UploadEntry): unknown {
  if (!(error instanceof ReportsError)) {
    return new ReportsError('malformed-archive', 'It cannot be inflated.', { source: path }, { cause: error })
  }
  return error.source === '' ? new ReportsError(error.code, error.detail, { source: path }, { cause: error }) : error
}
