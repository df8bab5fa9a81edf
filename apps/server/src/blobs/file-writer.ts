import type { FileHandle } from 'node:fs/promises'

/** Small pieces are gathered to this size, so that a file costs few writes. */
const writeSize = 2 ** 20
/** With one write under way and one waiting, disk and sender keep each other busy. */
const writesAtOnce = 2
/** The disk starts on what has come so far, so that little is left to wait for at the end. */
const syncEvery = 64 * 2 ** 20

/** Writes a file from its beginning to its end, in the background. The pieces it is given are used up. */
export class FileWriter {
  readonly #file: FileHandle
  #gathered: Buffer[] = []
  #gatheredSize = 0
  #unsynced = 0
  #pending = 0
  #writing: Promise<void> = Promise.resolve()
  #syncing: Promise<void> | undefined

  constructor(file: FileHandle) {
    this.#file = file
  }

  /** Undefined while there is room for more; else resolves when there is again, and rejects when the disk refuses. */
  add(piece: Buffer): Promise<void> | undefined {
    this.#gathered.push(piece)
    this.#gatheredSize += piece.length
    if (this.#gatheredSize < writeSize) return undefined
    this.#write()
    return this.#pending >= writesAtOnce ? this.#writing : undefined
  }

  /** Resolves when everything is in the file and on the disk. */
  async finish(): Promise<void> {
    this.#write()
    await this.settle()
    await this.#file.datasync()
  }

  /** Waits for what is under way. The file may be closed only after this. */
  async settle(): Promise<void> {
    await Promise.all([this.#writing, this.#syncing])
  }

  #write(): void {
    const pieces = this.#gathered
    const size = this.#gatheredSize
    if (size === 0) return
    this.#gathered = []
    this.#gatheredSize = 0
    this.#pending++
    this.#writing = this.#writing.then(() => writeAll(this.#file, pieces, size)).finally(() => this.#pending--)
    // Whoever waits next sees the failure; until then it must not count as unhandled.
    this.#writing.catch(() => {})
    this.#unsynced += size
    if (this.#unsynced >= syncEvery && !this.#syncing) this.#sync()
  }

  #sync(): void {
    this.#unsynced = 0
    this.#syncing = this.#file.datasync().finally(() => (this.#syncing = undefined))
    this.#syncing.catch(() => {})
  }
}

async function writeAll(file: FileHandle, pieces: Buffer[], size: number): Promise<void> {
  const { bytesWritten } = await file.writev(pieces)
  // The system may take a part only, as when the disk fills up; the rest then tells why.
  if (bytesWritten < size) await file.writeFile(Buffer.concat(pieces).subarray(bytesWritten))
  for (const piece of pieces) free(piece)
}

/**
 * Gives a piece's memory back at once. Left to the collector, the pieces of an upload at full speed cost a quarter of
 * the processor, and pauses of 20 ms to everybody else.
 */
function free({ buffer, byteLength }: Buffer): void {
  // A small one may lie in a buffer that Node shares among many.
  if (buffer instanceof ArrayBuffer && byteLength === buffer.byteLength) buffer.transfer(0)
}
