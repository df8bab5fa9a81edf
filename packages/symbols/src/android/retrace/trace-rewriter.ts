/** Restores a trace line by line, through a chain of mappings: what the first restores, the next goes on with. */
import { AnswerCache, type KnownAnswer } from './line-answer-cache.ts'
import type { ByteOutput } from '../bytes/byte-output.ts'
import { uncoverException } from './hidden-exception.ts'
import type { Mapping } from '../index/mapping.ts'
import { PlainFrames } from '../fast/fast-frames.ts'
import { type RestoredLine, writeRestoredLine } from './restored-line.ts'
import { emptyContext, type TraceContext } from './retrace-frame.ts'
import { retraceLine } from './retrace-line.ts'
import { parseTraceLine, type TraceLine } from '../trace/trace-line.ts'

export interface RetraceOptions {
  /** Methods with their types. */
  readonly verbose?: boolean
  /** How lines are cut into parts, where not as R8 does by default: see `compileLineExpression`. */
  readonly parseLine?: (text: string) => TraceLine
}

/** A line of the answer: a line, and what its parts are restored to. */
export interface AnswerLine {
  readonly source: TraceLine
  readonly restored: RestoredLine
}

export interface Answer {
  /** Each as the lines that stand for the line of the trace. None where the compiler made all of it. */
  readonly readings: readonly (readonly AnswerLine[])[]
  /** How many readings more there are, which are not given. */
  readonly leftOut: number
}

interface Stage {
  readonly mapping: Mapping
  context: TraceContext
}

/** Readings of one line that are given. More help nobody. */
const maxReadings = 500
/** Lines of all answers beyond one for each line of the trace; then lines are left as they are. */
const maxExtraLines = 500_000

/** Line ranges to be read for a whole trace, and more of them for each of its lines. */
const maxEffort = 5_000_000
const maxEffortPerLine = 50

const unchanged: RestoredLine = { className: undefined, isAmbiguous: false }

export class TraceRewriter {
  readonly warnings: string[] = []
  readonly #stages: readonly Stage[]
  readonly #known = new AnswerCache()
  readonly #isVerbose: boolean
  readonly #parseLine: (text: string) => TraceLine
  readonly #plainFrames: PlainFrames | undefined
  readonly #effortBefore: number
  #extraLines = 0
  /** Whether nothing of the last answer depended on the lines before. */
  #isIndependent = false
  #lineCount = 0

  constructor(mappings: readonly Mapping[], { verbose = false, parseLine = parseTraceLine }: RetraceOptions) {
    this.#stages = mappings.map((mapping) => ({ mapping, context: emptyContext }))
    this.#effortBefore = mappings.reduce((effort, mapping) => effort + mapping.effort, 0)
    this.#isVerbose = verbose
    this.#parseLine = parseLine
    const [only, ...others] = mappings
    const isPlain = others.length === 0 && !verbose && parseLine === parseTraceLine
    this.#plainFrames = only && isPlain ? new PlainFrames(only) : undefined
  }

  /** The readings of a line, the likeliest first. */
  readLine(text: string): Answer {
    this.#lineCount++
    const source = this.#parseLine(text)
    const [first, ...later] = this.#stages
    // Without a mapping, the frames are there as the trace has them.
    if (!first) return { readings: [[{ source, restored: unchanged }]], leftOut: 0 }
    if (this.#isExhausted()) return { readings: [[{ source: { text, parts: [] }, restored: unchanged }]], leftOut: 0 }
    let readings: readonly (readonly AnswerLine[])[] = this.#retrace(first, source).readings
    for (const stage of later) readings = readings.slice(0, maxReadings).flatMap((it) => this.#refine(stage, it))
    return this.#limit(readings)
  }

  /**
   * The lines that stand for a line of the trace, each with its newline. A log repeats lines, so that answers which do
   * not depend on the lines before are kept for a while.
   */
  writeLine(text: string): string {
    const hasNoContext = this.#stages.every(({ context }) => context === emptyContext)
    // What comes once only is neither looked for nor worth keeping.
    const isRepeated = this.#known.meet(text)
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
      this.#known.keep({ text, written, extraLines, needsNoContext: !this.#isIndependent, contexts })
    }
    return written
  }

  /** The same for the line of `bytes` from `start` to `end`. */
  rewriteLine(bytes: Buffer, start: number, end: number, output: ByteOutput): void {
    const count = this.#restorePlainFrame(bytes, start, end, output)
    if (count === -1) output.appendText(this.writeLine(bytes.toString('utf8', start, end)))
  }

  /** With one mapping, a line that needs nothing of what is made for others. */
  #restorePlainFrame(bytes: Buffer, start: number, end: number, output: ByteOutput): number {
    const [stage] = this.#stages
    if (!this.#plainFrames || !stage || stage.context.outlineLine !== undefined || this.#isExhausted()) return -1
    const count = this.#plainFrames.restore(bytes, start, end, output)
    if (count === -1) return -1
    stage.context = emptyContext
    this.#lineCount++
    this.#extraLines += Math.max(count - 1, 0)
    return count
  }

  #find(text: string, hasNoContext: boolean): KnownAnswer | undefined {
    if (this.#extraLines > maxExtraLines) return undefined
    if (!hasNoContext && this.#stages.some(({ context }) => context.outlineLine !== undefined)) return undefined
    const known = this.#known.find(text)
    return known && (hasNoContext || !known.needsNoContext) ? known : undefined
  }

  /** The lines that stand for `text` by that answer. */
  writeAnswer(text: string, { readings, leftOut }: Answer): string[] {
    const texts = readings.map((lines) => lines.map((line) => this.#write(line)))
    const [only] = texts
    if (texts.length === 1 && only && leftOut === 0) return only
    return [...joinReadings(texts), ...(leftOut > 0 ? [`${indentOf(text)}... ${leftOut} more readings left out`] : [])]
  }

  #write({ source, restored }: AnswerLine): string {
    return source.parts.length === 0 ? source.text : writeRestoredLine(source, restored, this.#isVerbose)
  }

  #retrace(stage: Stage, line: TraceLine): { readings: AnswerLine[][]; isKnown: boolean } {
    const { mapping } = stage
    const source = this.#parseLine === parseTraceLine ? uncoverException(line, mapping) : line
    const retraced = retraceLine(source, mapping, stage.context, this.#isVerbose)
    stage.context = retraced.context
    this.#isIndependent &&= retraced.isIndependent
    const toAnswer = (restored: RestoredLine): AnswerLine => ({ source, restored })
    return { readings: retraced.readings.map((lines) => lines.map(toAnswer)), isKnown: retraced.isKnown }
  }

  /** What a further mapping makes of a reading: of each line the readings, of all lines their combinations. */
  #refine(stage: Stage, reading: readonly AnswerLine[]): AnswerLine[][] {
    let combined: AnswerLine[][] = [[]]
    for (const line of reading) {
      // Without types, which are not in the grammar of a trace.
      const text =
        line.source.parts.length === 0 ? line.source.text : writeRestoredLine(line.source, line.restored, false)
      const { readings, isKnown } = this.#retrace(stage, this.#parseLine(text))
      const answers = isKnown ? readings : [[line]]
      if (answers.length === 0) continue
      combined = combined.flatMap((before) => answers.map((lines) => before.concat(lines))).slice(0, maxReadings)
    }
    return combined.filter((lines) => lines.length > 0)
  }

  #limit(readings: readonly (readonly AnswerLine[])[]): Answer {
    const given = readings.slice(0, maxReadings)
    for (const lines of given) this.#extraLines += lines.length
    if (given.length > 0) this.#extraLines--
    return { readings: given, leftOut: readings.length - given.length }
  }

  /** Few lines may neither grow into an answer without end nor take time without end. */
  #isExhausted(): boolean {
    let effort = -this.#effortBefore
    for (const { mapping } of this.#stages) effort += mapping.effort
    if (this.#extraLines <= maxExtraLines && effort <= maxEffort + maxEffortPerLine * this.#lineCount) return false
    if (this.warnings.length === 0)
      this.warnings.push('The trace stands for too much; its last lines were left as they are.')
    return true
  }
}

/** Row by row: the innermost frames of all readings, then what they were inlined into. R8 writes `<OR>` before others. */
function joinReadings(readings: readonly (readonly string[])[]): string[] {
  const joined: string[] = []
  const rows = Math.max(0, ...readings.map((lines) => lines.length))
  for (let row = 0; row < rows; row++) {
    const written = new Set<string>()
    for (const [place, lines] of readings.entries()) {
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
