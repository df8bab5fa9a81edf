import { createPool, type Hold, type QueueLimits, type WorkerLimits } from '@fairlead/workers'
import type { ReportContents } from '../read-report.ts'
import type { ReportPlatform } from '../report/detect-platform.ts'
import type { SymbolicatedReport } from '../symbolicated.ts'
import { SymbolsError } from '../symbols-error.ts'
import {
  messageBytes,
  type SymbolicatorAnswer,
  type SymbolicatorRequest,
  type SymbolsPaths,
  type WrittenReport,
} from './messages.ts'
import { toSymbolsError } from './to-symbols-error.ts'

/** Sizes of queued reports are in bytes, or in UTF-16 code units where the report is a string. */
export interface SymbolicatorOptions extends Partial<WorkerLimits>, Partial<QueueLimits> {
  /** Reports that are read at the same time; more wait for their turn. Default 1. */
  workers?: number
}

export type ReportText = string | Uint8Array | readonly Uint8Array[]

export interface InspectOptions {
  /** The platform decides how the text is read: as an Apple crash report, or as an Android trace or log. */
  platform: ReportPlatform
  /** Callers with the same key share their turns; a server passes the workspace's id. */
  turnKey: string
  /** When it is aborted, a waiting report is dropped and a running one is cancelled. */
  signal?: AbortSignal | undefined
}

/** A report that a worker has parsed and holds. The worker takes no other report until this one is disposed of. */
export interface InspectedReport extends AsyncDisposable {
  /** The symbols that the report asks for. */
  readonly contents: ReportContents
  /** Resolves the report with these symbols and gives its worker back. It can be called once. */
  resolve(paths: SymbolsPaths): Promise<SymbolicatedReport>
  /** Does the same as `resolve`, and also writes the report as JSON in the worker. */
  resolveToJson(paths: SymbolsPaths): Promise<WrittenReport>
}

/** Reads crash reports in worker processes, so that no report can block, exhaust or crash the caller's process. */
export interface Symbolicator extends AsyncDisposable {
  /**
   * Waits for a turn, then parses the report in a worker. Bytes are UTF-8 text; they may come in pieces that follow
   * each other. Rejects with QueueFullError; with the signal's reason; or with SymbolsError: `unknown-report`,
   * `malformed-report`, `too-large`, `timeout`, `out-of-memory`, `crashed`, `exited`.
   */
  inspect(text: ReportText, options: InspectOptions): Promise<InspectedReport>
  /** How many reports wait for their turn. */
  readonly waiting: number
}

/**
 * Creates a symbolicator. Each of the two steps may take `processorMs` of processor time (default 20,000) and
 * `timeoutMs` by the clock (default 120,000), and a worker may hold `maxMemoryMb` of objects (default 512). At most
 * `maxQueued` reports wait (default 64; 16 of one key), and at most `maxQueuedSize` bytes of text (default 64 Mi; 32 Mi
 * of one key).
 */
export function createSymbolicator(options: SymbolicatorOptions = {}): Symbolicator {
  const { processorMs = 20_000, timeoutMs = 120_000, maxMemoryMb = 512 } = options
  const { maxQueued = 64, maxQueuedPerKey = 16 } = options
  const { maxQueuedSize = 64 * 2 ** 20, maxQueuedSizePerKey = 32 * 2 ** 20 } = options
  const entry = new URL('./symbolicator-worker.ts', import.meta.url)
  const pool = createPool<SymbolicatorRequest, SymbolicatorAnswer>(entry, {
    ...options,
    processorMs,
    timeoutMs,
    maxMemoryMb,
    maxQueued,
    maxQueuedPerKey,
    maxQueuedSize,
    maxQueuedSizePerKey,
    toError: toSymbolsError,
  })

  return {
    get waiting() {
      return pool.waiting
    },
    async inspect(text, { platform, turnKey, signal }) {
      const messages = typeof text === 'string' ? [] : cutMessages(text instanceof Uint8Array ? [text] : text)
      const last = typeof text === 'string' ? text : (messages.pop() ?? [])
      const size = typeof text === 'string' ? text.length : measure(text)
      const hold = await pool.hold({ turnKey, size, signal })
      try {
        for (const [index, pieces] of messages.entries()) {
          throwError(await hold.ask({ verb: 'receive', pieces, isFirst: index === 0 }))
        }
        const answer = throwError(await hold.ask({ verb: 'inspect', text: last, platform }))
        if (!('contents' in answer)) throw unexpectedAnswer()
        return createInspected(answer.contents, hold)
      } catch (error) {
        await hold[Symbol.asyncDispose]()
        throw error
      }
    },
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  }
}

function createInspected(
  contents: ReportContents,
  hold: Hold<SymbolicatorRequest, SymbolicatorAnswer>,
): InspectedReport {
  let isAsked = false
  const askOnce = async (request: SymbolicatorRequest) => {
    if (isAsked) throw resolvedBefore()
    isAsked = true
    await using _ = hold
    return throwError(await hold.ask(request))
  }
  return {
    contents,
    async resolve(paths) {
      const resolved = await askOnce({ verb: 'resolve', paths })
      if (!('report' in resolved)) throw unexpectedAnswer()
      return resolved.report
    },
    async resolveToJson(paths) {
      if (isAsked) throw resolvedBefore()
      isAsked = true
      await using _ = hold
      const resolved = throwError(await hold.ask({ verb: 'resolveToJson', paths }))
      if (!('written' in resolved)) throw unexpectedAnswer()
      const json: Uint8Array[] = []
      while (json.length < resolved.pieces) {
        const answer = throwError(await hold.ask({ verb: 'send' }))
        if (!('piece' in answer)) throw unexpectedAnswer()
        json.push(answer.piece)
      }
      return { json, ...resolved.written }
    },
    async [Symbol.asyncDispose]() {
      // A report that is being resolved gives its worker back itself. A worker that was stopped has nothing to forget.
      if (!isAsked && hold.isHeld) await askOnce({ verb: 'forget' }).catch(() => {})
      await hold[Symbol.asyncDispose]()
    },
  }
}

/** Divides bytes among messages, without joining any. */
function cutMessages(text: readonly Uint8Array[]): Uint8Array[][] {
  const messages: Uint8Array[][] = []
  let room = 0
  for (const part of text) {
    for (let start = 0; start < part.length;) {
      if (room === 0) {
        messages.push([])
        room = messageBytes
      }
      const piece = part.subarray(start, start + room)
      messages.at(-1)?.push(piece)
      start += piece.length
      room -= piece.length
    }
  }
  return messages
}

function measure(text: Uint8Array | readonly Uint8Array[]): number {
  return text instanceof Uint8Array ? text.length : text.reduce((sum, { length }) => sum + length, 0)
}

function resolvedBefore(): Error {
  return new Error('The report was resolved or disposed of before.')
}

function unexpectedAnswer(): SymbolsError {
  return new SymbolsError('crashed', 'The worker gave an unexpected answer.')
}

function throwError(answer: SymbolicatorAnswer): Exclude<SymbolicatorAnswer, { error: unknown }> {
  if ('error' in answer) throw new SymbolsError(answer.error.code, answer.error.detail)
  return answer
}
