import { BinaryError, type ZipArchive, type ZipEntry } from '@fairlead/binary'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { SymbolsError } from '../symbols-error.ts'

/** A file that is there until it is disposed of. */
export interface TemporaryFile extends Disposable {
  path: string
}

/** Writes an entry to `path` as it is inflated, never holding more than a few chunks of it. Throws `malformed-zip` or `too-large`. */
export async function extractEntry(
  archive: ZipArchive,
  entry: ZipEntry,
  path: string,
  maxBytes: number,
): Promise<TemporaryFile> {
  const descriptor = openSync(path, 'wx')
  try {
    for await (const chunk of archive.streamEntry(entry, maxBytes)) {
      for (let at = 0; at < chunk.length;) at += writeSync(descriptor, chunk, at)
    }
  } catch (error) {
    rmSync(path, { force: true })
    throw error instanceof BinaryError ? toSymbolsError(error) : error
  } finally {
    closeSync(descriptor)
  }
  return { path, [Symbol.dispose]: () => rmSync(path, { force: true }) }
}

/** The same failure in the words of this package. */
export function toSymbolsError(error: BinaryError): SymbolsError {
  const code = error.code === 'too-large' || error.code === 'unreadable' ? error.code : 'malformed-zip'
  return new SymbolsError(code, error.detail === '' ? error.message : error.detail, { cause: error })
}
