import { Worker } from 'node:worker_threads'
import type { FileAnswer, FileCall, FileRequest } from './file-writer-messages.ts'

/** A message costs more than a small piece, so pieces are gathered: to this size, or to this many. */
const batchSize = 512 * 2 ** 10
const piecesPerBatch = 256
/** This many batches of a file may be under way; at half of it the sender goes on, so that the thread is never idle. */
const batchesAtOnce = 8

/**
 * Writes files in a thread of its own and hashes them on the way: for both together, a gibibyte takes a second of a
 * processor, which nobody else should have to wait for.
 */
export class FileWriter implements AsyncDisposable {
  #thread: FileThread | undefined
  #lastFile = 0

  /** Makes a new file; rejects when there is one. */
  async create(path: string): Promise<NewFile> {
    if (!this.#thread || this.#thread.hasEnded) this.#thread = new FileThread()
    const thread = this.#thread
    const file = ++this.#lastFile
    await thread.ask(file, { type: 'create', path })
    return new NewFile((request) => thread.ask(file, request))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#thread?.terminate()
  }
}

/** A file on its way to the disk. Ends with `finish` or `abandon`. */
export class NewFile {
  readonly #ask: (request: FileRequest) => Promise<FileAnswer>
  #gathered: Uint8Array[] = []
  #gatheredSize = 0
  readonly #underWay: Promise<unknown>[] = []
  #failure: { error: unknown } | undefined

  constructor(ask: (request: FileRequest) => Promise<FileAnswer>) {
    this.#ask = ask
  }

  /**
   * Takes a piece and its memory: nobody else may look at it any more. Undefined while there is room for more; else
   * resolves when there is again. Throws or rejects when the disk has refused.
   */
  add(piece: Buffer): Promise<unknown> | undefined {
    if (this.#failure) throw this.#failure.error
    this.#gathered.push(piece)
    this.#gatheredSize += piece.length
    if (this.#gatheredSize < batchSize && this.#gathered.length < piecesPerBatch) return undefined
    this.#send()
    return this.#underWay.length >= batchesAtOnce ? this.#underWay[batchesAtOnce / 2] : undefined
  }

  /** The digest, when everything is in the file and on the disk. */
  async finish(): Promise<string> {
    if (this.#gathered.length > 0) this.#send()
    await Promise.all(this.#underWay)
    if (this.#failure) throw this.#failure.error
    const { sha256 } = await this.#ask({ type: 'finish' })
    if (sha256 === undefined) throw new Error('a file was finished that was not open')
    return sha256
  }

  /** Closes the file as it is; it may be removed after this. Harmless when it is closed already. */
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
    // Whoever adds next or finishes sees the failure; until then it must not count as unhandled.
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
  hasEnded = false

  constructor() {
    // It keeps the process alive only while it is asked for something.
    this.#worker.unref()
    this.#worker.on('message', ({ call, ...answer }: FileAnswer) => {
      const { resolve, reject } = this.#calls.get(call)!
      this.#calls.delete(call)
      if (this.#calls.size === 0) this.#worker.unref()
      if (answer.error) reject(Object.assign(new Error(answer.error.message), { code: answer.error.code }))
      else resolve({ call, ...answer })
    })
    this.#worker.on('error', (cause) => this.#end(cause)).on('exit', () => this.#end())
  }

  ask(file: number, request: FileRequest): Promise<FileAnswer> {
    if (this.hasEnded) return Promise.reject(new Error('the thread that writes files has ended'))
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
    await this.#worker.terminate()
  }

  #end(cause?: unknown): void {
    this.hasEnded = true
    for (const { reject } of this.#calls.values())
      reject(new Error('the thread that writes files has ended', { cause }))
    this.#calls.clear()
  }
}

/** A small piece may lie in a buffer that Node shares among many: that one must stay here. */
function toTransferable(piece: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = piece
  const ownsIt = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength
  return ownsIt ? (piece as Uint8Array<ArrayBuffer>) : new Uint8Array(piece)
}
