import { Worker } from 'node:worker_threads'
import type { FileAnswer, FileCall, FileRequest } from './file-writer-messages.ts'

/**
 * Pieces are batched to this many bytes or this many pieces, because a message to the thread costs more than a small
 * piece.
 */
const batchSize = 512 * 2 ** 10
const piecesPerBatch = 256
/**
 * Back-pressure: at most this many batches of a file are in flight. The sender resumes when half of them are written,
 * so that the thread never runs dry.
 */
const batchesAtOnce = 4

/**
 * Writes and hashes files on a worker thread. Together they take about one CPU-second per GiB, which would otherwise
 * block the event loop.
 */
export class FileWriter implements AsyncDisposable {
  #thread: FileThread | undefined
  #lastFile = 0

  /**
   * Creates a new file, whose failure its later steps report: a path that exists, or a folder that does not. Nobody
   * waits for the thread here, because each answer waits for a turn of the event loop.
   */
  create(path: string): NewFile {
    if (!this.#thread || this.#thread.hasEnded) this.#thread = new FileThread()
    const thread = this.#thread
    const file = ++this.#lastFile
    return new NewFile(path, (request) => thread.ask(file, request))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#thread?.terminate()
  }
}

/** A file that is being written. Every file ends with `finish` or `abandon`. */
export class NewFile {
  readonly #ask: (request: FileRequest) => Promise<FileAnswer>
  #gathered: Uint8Array[] = []
  #gatheredSize = 0
  readonly #underWay: Promise<unknown>[] = []
  #failure: { error: unknown } | undefined

  constructor(path: string, ask: (request: FileRequest) => Promise<FileAnswer>) {
    this.#ask = ask
    ask({ type: 'create', path }).catch((error: unknown) => (this.#failure ??= { error }))
  }

  /**
   * Takes ownership of a piece and its memory, which the caller must not use afterwards. Returns undefined while there
   * is room; otherwise a promise that resolves when there is room again. Throws or rejects when the file could not be
   * created or written.
   */
  add(piece: Buffer): Promise<unknown> | undefined {
    if (this.#failure) throw this.#failure.error
    this.#gathered.push(piece)
    this.#gatheredSize += piece.length
    if (this.#gatheredSize < batchSize && this.#gathered.length < piecesPerBatch) return undefined
    this.#send()
    return this.#underWay.length >= batchesAtOnce ? this.#underWay[batchesAtOnce / 2] : undefined
  }

  /** Resolves when the bytes that were added so far are durable; more may be added meanwhile. */
  async sync(): Promise<void> {
    if (this.#gathered.length > 0) this.#send()
    await this.#ask({ type: 'sync' })
    // The thread answers in order, so a write that failed before has been reported by now.
    if (this.#failure) throw this.#failure.error
  }

  /** Resolves with the SHA-256 digest when all bytes are durable. */
  async finish(): Promise<string> {
    if (this.#gathered.length > 0) this.#send()
    // The thread answers in order, so a write that failed before has been reported by now.
    const { sha256 } = await this.#ask({ type: 'finish' })
    if (this.#failure) throw this.#failure.error
    if (sha256 === undefined) throw new Error('the file to finish is not open')
    return sha256
  }

  /**
   * Closes the file without syncing it; the caller may delete it afterwards. Does nothing when the file is already
   * closed.
   */
  async abandon(): Promise<void> {
    await this.#ask({ type: 'abandon' })
  }

  #send(): void {
    const sent = this.#ask({ type: 'append', pieces: this.#gathered }).then(
      () => void this.#underWay.shift(),
      (error: unknown) => {
        this.#failure ??= { error }
        throw error
      },
    )
    // The next `add` or `finish` reports this failure; until then it must not count as an unhandled rejection.
    sent.catch(() => {})
    this.#underWay.push(sent)
    this.#gathered = []
    this.#gatheredSize = 0
  }
}

class FileThread {
  readonly #worker = new Worker(new URL('file-writer-thread.ts', import.meta.url))
  readonly #calls = new Map<number, PromiseWithResolvers<FileAnswer>>()
  #lastCall = 0
  #isTerminating = false
  hasEnded = false

  constructor() {
    // The worker keeps the process alive only while calls are pending.
    this.#worker.unref()
    this.#worker.on('message', ({ call, ...answer }: FileAnswer) => {
      const { resolve, reject } = this.#calls.get(call)!
      this.#calls.delete(call)
      if (this.#calls.size === 0 && !this.#isTerminating) this.#worker.unref()
      if (answer.error) reject(Object.assign(new Error(answer.error.message), { code: answer.error.code }))
      else resolve({ call, ...answer })
    })
    this.#worker.on('error', (cause) => this.#end(cause)).on('exit', () => this.#end())
  }

  ask(file: number, request: FileRequest): Promise<FileAnswer> {
    if (this.hasEnded) return Promise.reject(new Error('the file writer thread has ended'))
    const call = ++this.#lastCall
    const answer = Promise.withResolvers<FileAnswer>()
    if (this.#calls.size === 0) this.#worker.ref()
    this.#calls.set(call, answer)
    if (request.type === 'append') {
      const pieces = request.pieces.map(toTransferable)
      const message: FileCall = { call, file, request: { ...request, pieces } }
      this.#worker.postMessage(
        message,
        pieces.map(({ buffer }) => buffer),
      )
    } else {
      this.#worker.postMessage({ call, file, request } satisfies FileCall)
    }
    return answer.promise
  }

  async terminate(): Promise<void> {
    // An answer that arrives meanwhile must not unref the worker: the process would end before this promise resolves.
    this.#isTerminating = true
    await this.#worker.terminate()
  }

  #end(cause?: unknown): void {
    this.hasEnded = true
    for (const { reject } of this.#calls.values()) reject(new Error('the file writer thread has ended', { cause }))
    this.#calls.clear()
  }
}

/** A small Buffer may be a view of Node's shared pool, which must not be transferred, so it is copied. */
function toTransferable(piece: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = piece
  const ownsIt = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its buffer is an ArrayBuffer
  return ownsIt ? (piece as Uint8Array<ArrayBuffer>) : new Uint8Array(piece)
}
