import { BinaryError, type ZipArchive, type ZipEntry } from '@fairlead/binary'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { SymbolsError } from '../symbols-error.ts'

/** A file that is removed when it is disposed of. */
export interface TemporaryFile extends Disposable {
  path: string
}

/**
 * Inflates an entry into a file at `path`, with only a few chunks in memory at a time. Rejects with `malformed-zip` or
 * `too-large`.
 */
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

/** Turns an error of the zip reader into an error of this package. */
export function toSymbolsError(error: BinaryError): SymbolsError {
  const code = error.code === 'too-large' || error.code === 'unreadable' ? error.code : 'malformed-zip'
  return new SymbolsError(code, error.detail === '' ? error.message : error.detail, { cause: error })
}
