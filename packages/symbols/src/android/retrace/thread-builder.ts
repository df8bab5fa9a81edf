/** Collects the restored lines of a trace into threads and frames. */
import type { SymbolicatedFrame, SymbolicatedThread } from '../../symbolicated.ts'
import { findMarkedException, parseException } from '../report/java-heading.ts'
import { findLogcatMessage } from '../trace/logcat-prefix.ts'
import type { Answer, AnswerLine } from './answer.ts'
import { lineNumberOf, textOf } from './restored-line.ts'

/** Further frames are only in the text. */
const maxFrames = 100_000

/** Placeholders that Java writes if the source file is not known. */
const noFiles = new Set(['', 'Native Method', 'Unknown Source'])

export class ThreadBuilder {
  readonly threads: SymbolicatedThread[] = []
  readonly warnings: string[] = []
  /** The thread that the last heading began. It is added together with its first frame. */
  #next: ThreadStart | undefined = { name: null, crashed: true }
  #frameCount = 0

  /** Adds a line of the trace. `restored` is the first line that replaces it. */
  add(raw: string, restored: string, answer: Answer): void {
    const first = answer.alternatives[0]?.[0]
    if (first && textOf(first.source, 'method') !== undefined) this.#addFrames(raw, answer)
    else {
      const message = restored.slice(findLogcatMessage(restored) ?? 0).trim()
      const isNamed = first !== undefined && textOf(first.source, 'class') !== undefined && raw.trim() !== ''
      this.#next = findHeading(message) ?? this.#next ?? (isNamed ? { name: null, crashed: true } : undefined)
      if (this.#next && isNamed) addException(this.#next, message)
    }
  }

  /** Adds a frame of native code of the thread that the last heading began. */
  addNative(frames: readonly SymbolicatedFrame[]): void {
    this.#push(frames, frames.length)
  }

  #addFrames(raw: string, { alternatives }: Answer): void {
    const [frames = [], ...others] = alternatives.map((lines) => toFrames(lines, raw))
    frames.at(-1)?.alternatives.push(...others)
    this.#push(
      frames,
      alternatives.reduce((count, lines) => count + lines.length, 0),
    )
  }

  /** `count` includes the frames of alternatives. */
  #push(frames: readonly SymbolicatedFrame[], count: number): void {
    this.#frameCount += count
    if (this.#frameCount > maxFrames) {
      if (this.warnings.length === 0)
        this.warnings.push(`Only the first ${maxFrames} frames are listed; the text has all of them.`)
      return
    }
    if (this.#next) this.threads.push({ ...this.#next, frames: [] })
    this.#next = undefined
    this.threads.at(-1)?.frames.push(...frames)
  }
}

type ThreadStart = Omit<SymbolicatedThread, 'frames'>

/** Returns the thread or the cause that begins with this line. */
function findHeading(message: string): ThreadStart | undefined {
  if (/^(?:Caused by:?|Suppressed:) /.test(message)) return { name: message, crashed: true }
  const thread = /^Exception in thread "([^"]*)"/.exec(message)?.[1] ?? /^FATAL EXCEPTION: (.*)/.exec(message)?.[1]
  if (thread !== undefined) return { name: thread, crashed: true }
  // The heading of a thread dump, for example: "main" prio=5 tid=1 Runnable. The app did not respond because of the
  // main thread, which is the first one of the runtime.
  const [, dumped, id] = /^"([^"]*)" (?:[^"]{0,200} )?tid=(\d{1,10})/.exec(message) ?? []
  if (dumped !== undefined) return { name: dumped, crashed: id === '1' }
  // A thread that the runtime does not know has no number of its own: "Thread-7" sysTid=28966.
  const unknown = /^"([^"]*)" (?:[^"]{0,200} )?sysTid=\d/.exec(message)?.[1]
  return unknown === undefined ? undefined : { name: unknown, crashed: false }
}

/** A name with a package, or one that says what it is. Other lines before the frames may look like an exception too. */
const likelyException =
  /^(?:[\p{L}\p{N}_$]+\.)+[\p{L}\p{N}_$]+(?::|$)|^[\p{L}\p{N}_$]*(?:Exception|Error|Throwable)(?::|$)/u

/** Notes the exception that a line names for the thread that has begun; the likeliest of several lines is taken. */
function addException(start: ThreadStart, message: string): void {
  const marked = findMarkedException(message) ?? message
  if (marked.startsWith('Process:') || (start.exception !== undefined && likelyException.test(start.exception))) return
  if (parseException(marked, true)) start.exception = marked
}

/** Innermost first. All but the last are inlined. */
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
