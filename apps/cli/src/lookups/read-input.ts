import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { CliError } from '../cli-error.ts'
import type { Io } from '../io.ts'

const maxBytes = 32 * 1024 * 1024

/** Reads a text from a file, or from standard input for `-`. */
export async function readText(io: Io, path: string): Promise<string> {
  return (await readReport(io, path)).toString('utf8')
}

/** Reads a report from a file, or from standard input for `-`. It may be no text, such as a tombstone of Android. */
export async function readReport(io: Io, path: string): Promise<Buffer<ArrayBuffer>> {
  if (path === '-') return await readStdin(io)
  const resolved = resolve(io.cwd, path)
  const { size } = await stat(resolved)
  if (size > maxBytes) throw tooLarge(path)
  return await readFile(resolved)
}

async function readStdin(io: Io): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = []
  let length = 0
  const pieces: AsyncIterable<Uint8Array | string> = io.stdin
  for await (const piece of pieces) {
    const bytes = Buffer.from(piece)
    length += bytes.length
    if (length > maxBytes) throw tooLarge('The text')
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}

function tooLarge(name: string): CliError {
  return new CliError('refused', `${name} is longer than the ${maxBytes / 1024 / 1024} MiB that a report may have`)
}
