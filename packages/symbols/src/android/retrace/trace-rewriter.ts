/**
 * Restores a trace line by line through a chain of mappings, each of which continues with the result of the one before.
 */
import type { ByteOutput } from '../bytes/byte-output.ts'
import { FastFrames } from '../fast/fast-frames.ts'
import type { Mapping } from '../index/mapping.ts'
import { parseTraceLine, type TraceLine } from '../trace/trace-line.ts'
import type { Answer, AnswerLine } from './answer.ts'
import { findHiddenException } from './hidden-exception.ts'
import { LineAnswerCache, type CachedAnswer } from './line-answer-cache.ts'
import { type RestoredLine, writeRestoredLine } from './restored-line.ts'
import { retraceLine } from './retrace-line.ts'
import { emptyContext, type TraceContext } from './trace-context.ts'

export interface RetraceOptions {
  /** Writes methods with their types. */
  readonly verbose?: boolean
  /**
   * Splits a line into parts. The default is the expression of R8's retrace; see `compileLineExpression` for others.
   */
  readonly parseLine?: (text: string) => TraceLine
}

interface Stage {
  readonly mapping: Mapping
  context: TraceContext
}

/** The number of alternatives of a line that are written. */
const maxAlternatives = 500
/** The number of lines that all answers may add to the trace. Lines after that are not restored. */
const maxExtraLines = 500_000

/** The number of line ranges that may be read for a trace: a fixed part, and a part for each of its lines. */
const maxEffort = 5_000_000
const maxEffortPerLine = 50

const unchanged: RestoredLine = { className: undefined, isAmbiguous: false }

export class TraceRewriter {
  readonly warnings: string[] = []
  readonly #stages: readonly Stage[]
  readonly #answerCache = new LineAnswerCache()
  readonly #isVerbose: boolean
  readonly #parseLine: (text: string) => TraceLine
  readonly #fastFrames: FastFrames | undefined
  readonly #effortBefore: number
  #extraLines = 0
  /** Whether the last answer was independent of the preceding lines. */
  #isIndependent = false
  #lineCount = 0

  constructor(mappings: readonly Mapping[], { verbose = false, parseLine = parseTraceLine }: RetraceOptions) {
    this.#stages = mappings.map((mapping) => ({ mapping, context: emptyContext }))
    this.#effortBefore = mappings.reduce((effort, mapping) => effort + mapping.effort, 0)
    this.#isVerbose = verbose
    this.#parseLine = parseLine
    const [only, ...others] = mappings
    const isPlain = others.length === 0 && !verbose && parseLine === parseTraceLine
    this.#fastFrames = only && isPlain ? new FastFrames(only) : undefined
  }

  /** Returns the alternatives of a line, the likeliest first. */
  readLine(text: string): Answer {
    this.#lineCount++
    const source = this.#parseLine(text)
    const [first, ...later] = this.#stages
    // Without a mapping, the frames are those of the trace.
    if (!first) return { alternatives: [[{ source, restored: unchanged }]], leftOut: 0 }
    if (this.#isExhausted())
      return { alternatives: [[{ source: { text, parts: [] }, restored: unchanged }]], leftOut: 0 }
    let alternatives: readonly (readonly AnswerLine[])[] = this.#retrace(first, source).alternatives
    for (const stage of later)
      alternatives = alternatives.slice(0, maxAlternatives).flatMap((it) => this.#refine(stage, it))
    return this.#limit(alternatives)
  }

  /**
   * Returns the lines that replace a line of the trace, each with its newline. Logs repeat lines, so answers that do
   * not depend on the preceding lines are cached.
   */
  writeLine(text: string): string {
    const hasNoContext = this.#stages.every(({ context }) => context === emptyContext)
    // A line that occurs only once is not worth caching.
    const isRepeated = this.#answerCache.countLine(text)
    const known = isRepeated ? this.#find(text, hasNoContext) : undefined
    if (known) {
      for (const [number, stage] of this.#stages.entries()) stage.context = known.contexts[number] ?? emptyContext
      this.#extraLines += known.extraLines
      return known.written
    }
    const before = this.#extraLines
    this.#isIndependent = this.#stages.every(({ context }) => context.outlineLine === undefined)
    const lines = this.writeAnswer(text, this.readLine(text))
    const written = lines.length === 0 ? '' : `${lines.join('\n')}\n`
    const isWhole = this.warnings.length === 0
    if (isRepeated && isWhole && (hasNoContext || this.#isIndependent)) {
      const contexts = this.#stages.map(({ context }) => context)
      const extraLines = this.#extraLines - before
      this.#answerCache.keep({ text, written, extraLines, needsNoContext: !this.#isIndependent, contexts })
    }
    return written
  }

  /** Appends the lines that replace the line of `bytes` from `start` to `end`. */
  rewriteLine(bytes: Buffer, start: number, end: number, output: ByteOutput): void {
    const count = this.#restoreFast(bytes, start, end, output)
    if (count === -1) output.appendText(this.writeLine(bytes.toString('utf8', start, end)))
  }

  /** Tries the fast path, which supports a single mapping; returns the number of lines, or -1 if it does not apply. */
  #restoreFast(bytes: Buffer, start: number, end: number, output: ByteOutput): number {
    const [stage] = this.#stages
    if (!this.#fastFrames || !stage || stage.context.outlineLine !== undefined || this.#isExhausted()) return -1
    const count = this.#fastFrames.restore(bytes, start, end, output)
    if (count === -1) return -1
    stage.context = emptyContext
    this.#lineCount++
    this.#extraLines += Math.max(count - 1, 0)
    return count
  }

  #find(text: string, hasNoContext: boolean): CachedAnswer | undefined {
    if (this.#extraLines > maxExtraLines) return undefined
    if (!hasNoContext && this.#stages.some(({ context }) => context.outlineLine !== undefined)) return undefined
    const known = this.#answerCache.find(text)
    return known && (hasNoContext || !known.needsNoContext) ? known : undefined
  }

  /** Formats an answer as lines. `text` is the line of the trace. */
  writeAnswer(text: string, { alternatives, leftOut }: Answer): string[] {
    const texts = alternatives.map((lines) => lines.map((line) => this.#write(line)))
    const [only] = texts
    if (texts.length === 1 && only && leftOut === 0) return only
    return [...joinAlternatives(texts), ...(leftOut > 0 ? [`${indentOf(text)}... ${leftOut} more alternatives`] : [])]
  }

  #write({ source, restored }: AnswerLine): string {
    return source.parts.length === 0 ? source.text : writeRestoredLine(source, restored, this.#isVerbose)
  }

  #retrace(stage: Stage, line: TraceLine): { alternatives: AnswerLine[][]; isKnown: boolean } {
    const { mapping } = stage
    const source = this.#parseLine === parseTraceLine ? findHiddenException(line, mapping) : line
    const retraced = retraceLine(source, mapping, stage.context, this.#isVerbose)
    stage.context = retraced.context
    this.#isIndependent &&= retraced.isIndependent
    const toAnswer = (restored: RestoredLine): AnswerLine => ({ source, restored })
    return { alternatives: retraced.alternatives.map((lines) => lines.map(toAnswer)), isKnown: retraced.isKnown }
  }

  /** Restores an alternative with a further mapping and returns all combinations of the alternatives of its lines. */
  #refine(stage: Stage, alternative: readonly AnswerLine[]): AnswerLine[][] {
    let combined: AnswerLine[][] = [[]]
    for (const line of alternative) {
      // The types of verbose output are not part of the grammar of trace lines.
      const text =
        line.source.parts.length === 0 ? line.source.text : writeRestoredLine(line.source, line.restored, false)
      const { alternatives, isKnown } = this.#retrace(stage, this.#parseLine(text))
      const answers = isKnown ? alternatives : [[line]]
      if (answers.length === 0) continue
      combined = combined.flatMap((before) => answers.map((lines) => before.concat(lines))).slice(0, maxAlternatives)
    }
    return combined.filter((lines) => lines.length > 0)
  }

  #limit(alternatives: readonly (readonly AnswerLine[])[]): Answer {
    const given = alternatives.slice(0, maxAlternatives)
    for (const lines of given) this.#extraLines += lines.length
    if (given.length > 0) this.#extraLines--
    return { alternatives: given, leftOut: alternatives.length - given.length }
  }

  /** Whether the trace has reached a limit. A few lines must not produce an endless answer or take endless time. */
  #isExhausted(): boolean {
    let effort = -this.#effortBefore
    for (const { mapping } of this.#stages) effort += mapping.effort
    if (this.#extraLines <= maxExtraLines && effort <= maxEffort + maxEffortPerLine * this.#lineCount) return false
    if (this.warnings.length === 0)
      this.warnings.push('The restored trace is too large; its last lines were not restored.')
    return true
  }
}

/**
 * Joins alternatives row by row: the innermost frames of all of them, then their callers. Like R8, it writes `<OR>`
 * before all but the first.
 */
function joinAlternatives(alternatives: readonly (readonly string[])[]): string[] {
  const joined: string[] = []
  const rows = Math.max(0, ...alternatives.map((lines) => lines.length))
  for (let row = 0; row < rows; row++) {
    const written = new Set<string>()
    for (const [place, lines] of alternatives.entries()) {
      const line = lines[row]
      if (line === undefined || written.has(line)) continue
      written.add(line)
      joined.push(place === 0 ? line : insertOr(line))
    }
  }
  return joined
}

function insertOr(line: string): string {
  const at = line.indexOf('at ')
  const place = at === -1 ? indentOf(line).length : at
  return `${line.slice(0, place)}<OR> ${line.slice(place)}`
}

function indentOf(text: string): string {
  return text.slice(0, text.length - text.trimStart().length)
}
