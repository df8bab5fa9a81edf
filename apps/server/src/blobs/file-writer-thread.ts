/** The worker thread of `FileWriter`: it hashes and writes files off the event loop that answers requests. */
import { createHash } from 'node:crypto'
import { closeSync, fdatasync, openSync, writeSync, writevSync } from 'node:fs'
import { setPriority } from 'node:os'
import { promisify } from 'node:util'
import { parentPort } from 'node:worker_threads'
import type { FileAnswer, FileCall, FileRequest } from './file-writer-messages.ts'

/** Starts a sync after this many bytes, so that little is left to write back when the file is finished. */
const syncEvery = 32 * 2 ** 20
/** Lowers this thread's priority below the request thread's. Only Linux supports this for a single thread. */
const niceness = 10

const datasync = promisify(fdatasync)
const files = new Map<number, WrittenFile>()

if (process.platform === 'linux') lowerPriority()

parentPort?.on('message', ({ call, file, request }: FileCall) => {
  void answer(file, request).then((result) => parentPort?.postMessage({ call, ...result } satisfies FileAnswer))
})

async function answer(file: number, request: FileRequest): Promise<Omit<FileAnswer, 'call'>> {
  try {
    const sha256 = await carryOut(file, request)
    return sha256 === undefined ? {} : { sha256 }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return { error: { message: error.message, code: 'code' in error ? String(error.code) : undefined } }
  }
}

/** Runs synchronously up to its first await, which keeps the requests of one file in order. */
async function carryOut(id: number, request: FileRequest): Promise<string | undefined> {
  if (request.type === 'create') {
    files.set(id, new WrittenFile(request.path))
    return undefined
  }
  const file = files.get(id)
  if (request.type === 'append') {
    file?.append(request.pieces)
    return undefined
  }
  if (request.type === 'sync') {
    await file?.sync()
    return undefined
  }
  files.delete(id)
  return request.type === 'finish' ? file?.finish() : file?.close()
}

class WrittenFile {
  readonly #file: number
  readonly #hash = createHash('sha256')
  #unsynced = 0
  #syncing: Promise<unknown> | undefined

  constructor(path: string) {
    this.#file = openSync(path, 'wx')
  }

  append(pieces: Uint8Array[]): void {
    let size = 0
    for (const piece of pieces) {
      this.#hash.update(piece)
      size += piece.length
    }
    const written = writevSync(this.#file, pieces)
    // `writev` may write less than asked, for example when the disk fills up; writing the rest then throws the reason.
    if (written < size) writeAll(this.#file, Buffer.concat(pieces).subarray(written))
    // Detaching frees the memory now. Left to the garbage collector it would accumulate and be freed in long pauses.
    for (const { buffer } of pieces) if (buffer instanceof ArrayBuffer) buffer.transfer(0)
    this.#unsynced += size
    if (this.#unsynced >= syncEvery) void this.sync().catch(() => {})
  }

  /** Resolves with the digest when the bytes are durable. */
  async finish(): Promise<string> {
    try {
      await this.#syncing
      await datasync(this.#file)
      return this.#hash.digest('hex')
    } finally {
      closeSync(this.#file)
    }
  }

  async close(): Promise<undefined> {
    await this.#syncing?.catch(() => {})
    closeSync(this.#file)
  }

  /**
   * The system reports a failed sync only once, so the rejected promise stays in `#syncing` until `finish` awaits it.
   */
  async sync(): Promise<void> {
    this.#unsynced = 0
    this.#syncing = this.#syncing ? this.#syncing.then(() => datasync(this.#file)) : datasync(this.#file)
    await this.#syncing
  }
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at)
}

/** A sandbox such as a seccomp filter may refuse the call; the thread then keeps its priority. */
function lowerPriority(): void {
  try {
    setPriority(niceness)
  } catch {
    // Files are written as well without it.
  }
}
