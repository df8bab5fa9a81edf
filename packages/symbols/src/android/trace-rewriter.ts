/** Restores a trace line by line, through a chain of mappings: what the first restores, the next goes on with. */
import type { Mapping } from './mapping.ts'
import { type RestoredLine, writeRestoredLine } from './restored-line.ts'
import { emptyContext, type TraceContext } from './retrace-frame.ts'
import { retraceLine } from './retrace-line.ts'
import { parseTraceLine, type TraceLine } from './trace-line.ts'

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
/** Lines of all answers beyond one for each line of the trace; then only the first reading is given. */
const maxExtraLines = 500_000

const unchanged: RestoredLine = { className: undefined, isAmbiguous: false }

export class TraceRewriter {
  readonly #first: Stage | undefined
  readonly #later: readonly Stage[]
  readonly #isVerbose: boolean
  readonly #parseLine: (text: string) => TraceLine
  #extraLines = 0

  constructor(mappings: readonly Mapping[], { verbose = false, parseLine = parseTraceLine }: RetraceOptions) {
    const [first, ...later] = mappings.map((mapping) => ({ mapping, context: emptyContext }))
    this.#first = first
    this.#later = later
    this.#isVerbose = verbose
    this.#parseLine = parseLine
  }

  /** The readings of a line, the likeliest first. */
  readLine(text: string): Answer {
    const source = this.#parseLine(text)
    if (!this.#first) return { readings: [[{ source, restored: unchanged }]], leftOut: 0 }
    let readings: readonly (readonly AnswerLine[])[] = this.#retrace(this.#first, source).readings
    for (const stage of this.#later) readings = readings.slice(0, maxReadings).flatMap((it) => this.#refine(stage, it))
    return this.#limit(readings)
  }

  /** The lines of the answer for a line of the trace. */
  writeLine(text: string): string[] {
    return this.writeAnswer(text, this.readLine(text))
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

  #retrace(stage: Stage, source: TraceLine): { readings: AnswerLine[][]; isKnown: boolean } {
    const retraced = retraceLine(source, stage.mapping, stage.context, this.#isVerbose)
    stage.context = retraced.context
    const toAnswer = (restored: RestoredLine): AnswerLine => ({ source: retraced.source, restored })
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
      combined = combined.flatMap((before) => answers.map((lines) => [...before, ...lines])).slice(0, maxReadings)
    }
    return combined.filter((lines) => lines.length > 0)
  }

  #limit(readings: readonly (readonly AnswerLine[])[]): Answer {
    if (readings.length === 1) return { readings, leftOut: 0 }
    const given = readings.slice(0, this.#extraLines > maxExtraLines ? 1 : maxReadings)
    for (const lines of given) this.#extraLines += lines.length
    return { readings: given, leftOut: readings.length - given.length }
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
