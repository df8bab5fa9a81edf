/** The other side of `FileWriter`: hashes and writes away from the thread that answers requests. */
import { createHash } from 'node:crypto'
import { closeSync, fdatasync, openSync, writeSync, writevSync } from 'node:fs'
import { setPriority } from 'node:os'
import { promisify } from 'node:util'
import { parentPort } from 'node:worker_threads'
import type { FileAnswer, FileCall, FileRequest } from './file-writer-messages.ts'

/** The disk starts on what has come so far, so that little is left to wait for at the end. */
const syncEvery = 32 * 2 ** 20
/** Who waits for a small answer goes first. Only Linux takes this for the one thread that asks. */
const niceness = 10

const datasync = promisify(fdatasync)
const files = new Map<number, WrittenFile>()

if (process.platform === 'linux') setPriority(niceness)

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

/** Runs up to its first wait at once, so that nothing overtakes. */
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
    // The system may take a part only, as when the disk fills up; the rest then tells why.
    if (written < size) writeAll(this.#file, Buffer.concat(pieces).subarray(written))
    // Left to the collector, this memory would come back late, in pauses, and grow meanwhile.
    for (const { buffer } of pieces) if (buffer instanceof ArrayBuffer) buffer.transfer(0)
    this.#unsynced += size
    if (this.#unsynced >= syncEvery) this.#sync()
  }

  /** When this resolves, the bytes survive a power cut. */
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

  /** The system tells a failure once: it stays in `#syncing` until the end. */
  #sync(): void {
    this.#unsynced = 0
    this.#syncing = this.#syncing ? this.#syncing.then(() => datasync(this.#file)) : datasync(this.#file)
    this.#syncing.catch(() => {})
  }
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at)
}
