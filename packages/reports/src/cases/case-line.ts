/**
 * Encodes a case as a line of the cases file: a JSON array without field names, because there may be a million cases.
 *
 * identity, suite, class, name, parameters, file, environment, number, duration, attempts, mark, outputs, attachments,
 * source
 *
 * An attempt is an array of the index of its outcome, its duration and its failures. A single attempt without failures
 * that took as long as the case is only the index of its outcome. Empty fields are 0.
 */
import type { Attempt, Outcome, ReportCase } from '../report.ts'
import { judgeAttempts } from './counts.ts'

type AttemptLine = [outcome: number, durationMs: number | null, failures: Attempt['failures'] | 0]
type CaseLine = [
  string,
  string | null,
  string | null,
  string,
  string | null,
  string | null,
  string | null,
  number,
  number | null,
  number | AttemptLine[],
  ReportCase['retryMark'],
  ReportCase['outputs'] | 0,
  ReportCase['attachments'] | 0,
  string,
]

const outcomes: readonly Outcome[] = ['passed', 'failed', 'skipped']

const maxKnown = 64

/** Writes the lines of one file. It caches the JSON of names, because many cases have the same suite and class. */
export class CaseFormatter {
  readonly #known = new Map<string, string>()

  format(one: ReportCase): string {
    const [first] = one.attempts
    const isPlain = one.attempts.length === 1 && first?.failures.length === 0 && first.durationMs === one.durationMs
    const attempts = isPlain ? outcomes.indexOf(first.outcome) : JSON.stringify(one.attempts.map(toAttemptLine))
    const outputs = one.outputs.length === 0 ? 0 : JSON.stringify(one.outputs)
    const attachments = one.attachments.length === 0 ? 0 : JSON.stringify(one.attachments)
    const suite = `${this.#quote(one.suite)},${this.#quote(one.class)}`
    const name = `${JSON.stringify(one.name)},${this.#quote(one.parameters)}`
    const place = `${this.#quote(one.file)},${this.#quote(one.environment)},${one.case},${one.durationMs}`
    const rest = `${attempts},${this.#quote(one.retryMark)},${outputs},${attachments},${this.#quote(one.source)}`
    return `["${one.identity}",${suite},${name},${place},${rest}]`
  }

  #quote(text: string | null): string {
    if (text === null) return 'null'
    const found = this.#known.get(text)
    if (found !== undefined) return found
    const quoted = JSON.stringify(text)
    if (this.#known.size >= maxKnown) this.#known.clear()
    this.#known.set(text, quoted)
    return quoted
  }
}

/** Parses a line that `CaseFormatter` wrote. */
export function parseCase(text: string): ReportCase {
  const line = JSON.parse(text) as CaseLine // only `CaseFormatter` writes such lines
  const [identity, suite, className, name, parameters, file, environment, number, durationMs] = line
  const [, , , , , , , , , attemptLines, retryMark, outputs, attachments, source] = line
  const attempts =
    typeof attemptLines === 'number'
      ? [{ outcome: outcomes[attemptLines] ?? 'skipped', durationMs, failures: [] }]
      : attemptLines.map(toAttempt)
  return {
    identity,
    suite,
    class: className,
    name,
    parameters,
    file,
    environment,
    case: number,
    ...judgeAttempts(attempts),
    durationMs,
    attempts,
    retryMark,
    outputs: outputs === 0 ? [] : outputs,
    attachments: attachments === 0 ? [] : attachments,
    source,
  }
}

function toAttemptLine({ outcome, durationMs, failures }: Attempt): AttemptLine {
  return [outcomes.indexOf(outcome), durationMs, failures.length === 0 ? 0 : failures]
}

function toAttempt([outcome, durationMs, failures]: AttemptLine): Attempt {
  return { outcome: outcomes[outcome] ?? 'skipped', durationMs, failures: failures === 0 ? [] : failures }
}
