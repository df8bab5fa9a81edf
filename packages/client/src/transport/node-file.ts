import { type FileHandle, open, stat } from 'node:fs/promises'
import type { UploadFile } from './transport.ts'

/** Large enough that reading a file costs little CPU, small enough that progress moves on a slow line. */
const chunkBytes = 2 ** 20

/** An open file that is sent once, from its start or from an offset on. */
export interface OpenNodeFile {
  /** Number of bytes to send; undefined for a stream of unknown size. */
  size: number | undefined
  /** Two buffers are reused in turn, so a chunk must be sent before the next but one is requested. */
  chunks: AsyncIterable<Uint8Array>
  close(): Promise<void>
}

/** Opens a file for sending. Throws the system's error for a path that cannot be read. */
export async function openNodeFile(file: UploadFile, size: number | undefined, start: number): Promise<OpenNodeFile> {
  if (typeof file === 'string') return await openPath(file, start)
  if (file instanceof Blob) {
    const rest = start === 0 ? file : file.slice(start)
    return { size: rest.size, chunks: rest.stream(), close: async () => {} }
  }
  return { size, chunks: size === undefined ? file : checkSize(file, size), close: async () => {} }
}

/** Returns the size of a file in bytes; undefined for a stream. Throws the system's error for an unreadable path. */
export async function measureNodeFile(file: UploadFile): Promise<number | undefined> {
  if (typeof file === 'string') return (await stat(file)).size
  return file instanceof Blob ? file.size : undefined
}

async function openPath(path: string, start: number): Promise<OpenNodeFile> {
  const handle = await open(path, 'r')
  const { size } = await handle.stat().catch(async (error: unknown) => {
    await handle.close()
    throw error
  })
  const rest = Math.max(0, size - start)
  return { size: rest, chunks: checkSize(readChunks(handle, start, rest), rest), close: () => handle.close() }
}

/**
 * Reads into two buffers in turn: one is filled from the disk while the other goes to the network. A read stream would
 * allocate memory for every chunk, which costs more time than reading it.
 */
async function* readChunks(handle: FileHandle, start: number, size: number): AsyncGenerator<Uint8Array> {
  const length = Math.min(chunkBytes, size)
  const [first, second] = [new Uint8Array(length), new Uint8Array(length)]
  for (let at = 0, turn = 0; at < size; turn++) {
    const buffer = turn % 2 === 0 ? first : second
    const { bytesRead } = await handle.read(buffer, 0, Math.min(length, size - at), start + at)
    if (bytesRead === 0) return
    at += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

/** Throws if a stream is not as long as announced, because the server would wait for the missing bytes. */
async function* checkSize(chunks: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  let read = 0
  for await (const chunk of chunks) {
    read += chunk.byteLength
    if (read > size) break
    yield chunk
  }
  if (read !== size) throw new Error(`The file changed while it was sent: it has not ${size} bytes any more`)
}
