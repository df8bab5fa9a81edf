import { openFile } from '@fairlead/binary/file-source'
import { ReportsError } from '../reports-error.ts'
import { toReportsError } from './archive-error.ts'
import { isTarHeader, openTar, tarHeader } from './open-tar.ts'
import { openZipUpload } from './open-zip.ts'
import { type OpenUploadOptions, readRange, type Upload } from './upload.ts'

/** Opens an upload by its content: a zip, a tar, a gzip of either, or one file. Throws ReportsError. */
export async function openUpload(path: string, options: OpenUploadOptions): Promise<Upload> {
  try {
    const start = readFileStart(path)
    if (start[0] === 0x50 && start[1] === 0x4b && ((start[2] ?? 0) === 3 || (start[2] ?? 0) === 5)) {
      return openZipUpload(path, options)
    }
    if (start[0] === 0x1f && start[1] === 0x8b) return await openTar(path, true, options)
    if (isTarHeader(start)) return await openTar(path, false, options)
    return openSingle(path, options)
  } catch (error) {
    throw toReportsError(error)
  }
}

function readFileStart(path: string): Buffer {
  using source = openFile(path)
  return source.read(0, Math.min(tarHeader, source.size))
}

function openSingle(path: string, { limits }: OpenUploadOptions): Upload {
  const source = openFile(path)
  const entry = { path: '', size: source.size }
  return {
    isArchive: false,
    entries: [entry],
    readStart: (_, length) => source.read(0, Math.min(length, source.size)),
    async *stream(_, maxBytes) {
      if (source.size > Math.min(maxBytes, limits.maxInflatedBytes)) {
        throw new ReportsError('too-large', `The report has more than ${maxBytes} bytes.`)
      }
      yield* readRange(source, 0, source.size)
    },
    [Symbol.dispose]: () => source[Symbol.dispose](),
  }
}
