/** Sorts the restored lines of a trace into threads and frames. */
import type { SymbolicatedFrame, SymbolicatedThread } from '../../symbolicated.ts'
import { findLogcatMessage } from '../trace/logcat-prefix.ts'
import type { Answer, AnswerLine } from './answer.ts'
import { lineNumberOf, textOf } from './restored-line.ts'

/** More frames are in the text only. */
const maxFrames = 100_000

/** What stands in place of a file where there is none. */
const noFiles = new Set(['', 'Native Method', 'Unknown Source'])

export class ThreadBuilder {
  readonly threads: SymbolicatedThread[] = []
  readonly warnings: string[] = []
  /** Begun by a line that says so; it becomes a thread with its first frame. */
  #next: { name: string | null; crashed: boolean } | undefined = { name: null, crashed: true }
  #frameCount = 0

  /** Adds a line of the trace, the first line of the text that stands for it, and the answer. */
  add(raw: string, restored: string, answer: Answer): void {
    const first = answer.alternatives[0]?.[0]
    if (first && textOf(first.source, 'method') !== undefined) this.#addFrames(raw, answer)
    else this.#next = this.#findStart(raw, restored, first) ?? this.#next
  }

  #addFrames(raw: string, { alternatives }: Answer): void {
    const [frames, ...others] = alternatives.map((lines) => toFrames(lines, raw))
    this.#frameCount += alternatives.reduce((count, lines) => count + lines.length, 0)
    if (this.#frameCount > maxFrames) {
      if (this.warnings.length === 0) this.warnings.push(`Frames after the first ${maxFrames} are in the text only.`)
      return
    }
    frames?.at(-1)?.alternatives.push(...others)
    if (this.#next) this.threads.push({ ...this.#next, frames: [] })
    this.#next = undefined
    this.threads.at(-1)?.frames.push(...(frames ?? []))
  }

  /** The thread that begins with this line, which is no frame. */
  #findStart(
    raw: string,
    restored: string,
    first: AnswerLine | undefined,
  ): { name: string | null; crashed: boolean } | undefined {
    const message = restored.slice(findLogcatMessage(restored) ?? 0).trim()
    if (message.startsWith('Caused by: ') || message.startsWith('Suppressed: ')) return { name: message, crashed: true }
    const thread = /^Exception in thread "([^"]*)"/.exec(message)?.[1] ?? /^FATAL EXCEPTION: (.*)/.exec(message)?.[1]
    if (thread !== undefined) return { name: thread, crashed: true }
    // The dump of a thread: "main" prio=5 tid=1 Runnable
    const dumped = /^"([^"]*)" (?=.*\btid=)/.exec(message)?.[1]
    if (dumped !== undefined) return { name: dumped, crashed: false }
    // Another exception, unless it is the one of the thread that has begun.
    const isException = first !== undefined && textOf(first.source, 'class') !== undefined && raw.trim() !== ''
    return isException && this.#next === undefined ? { name: null, crashed: true } : undefined
  }
}

/** Innermost first; all but the last are inlined. */
function toFrames(lines: readonly AnswerLine[], raw: string): SymbolicatedFrame[] {
  return lines.map(({ source, restored }, place) => {
    const method = restored.method?.name ?? textOf(source, 'method')
    const className = restored.className ?? textOf(source, 'class')
    const file = restored.fileName ?? textOf(source, 'file') ?? ''
    const line = restored.lineNumber ?? lineNumberOf(source) ?? -1
    return {
      function: className === undefined ? (method ?? null) : `${className}.${method}`,
      file: noFiles.has(file) ? null : file,
      line: line > 0 ? line : null,
      column: null,
      module: null,
      address: null,
      inlined: place < lines.length - 1,
      alternatives: [],
      raw,
    }
  })
}
