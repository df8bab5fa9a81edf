/**
 * Encodes a case as a line of the cases file: a JSON array without field names, because there may be a million cases.
 *
 * identity, name, number, duration, attempts, mark, outputs, attachments, suite, class, parameters, file, environment,
 * source
 *
 * An attempt is an array of the index of its outcome, its duration and its failures. A single attempt without failures
 * that took as long as the case is only the index of its outcome. Empty fields are 0.
 */
import { requireAt } from '@fairlead/invariant'
import type { Attempt, Outcome, ReportCase } from '../report.ts'
import { judgeAttempts } from './counts.ts'

type AttemptLine = [outcome: number, durationMs: number | null, failures: Attempt['failures'] | 0]
type CaseLine = [
  identity: string,
  name: string,
  number: number,
  durationMs: number | null,
  attempts: number | AttemptLine[],
  retryMark: ReportCase['retryMark'],
  outputs: ReportCase['outputs'] | 0,
  attachments: ReportCase['attachments'] | 0,
  suite: string | null,
  className: string | null,
  parameters: string | null,
  file: string | null,
  environment: string | null,
  source: string,
]
/** The fields at the end of a line, which many consecutive cases share. */
type Shared = Pick<ReportCase, 'suite' | 'class' | 'parameters' | 'file' | 'environment' | 'source'>

const outcomes: readonly Outcome[] = ['passed', 'failed', 'skipped']

/** Writes the lines of one file. It keeps the JSON of the fields that the next case will probably share. */
export class CaseFormatter {
  #last: Shared | null = null
  #shared = ''
  /** The ends of the lines of cases with one attempt and nothing else, by outcome. */
  #plain: Record<Outcome, string> = { passed: '', failed: '', skipped: '' }

  format(one: ReportCase): string {
    if (this.#last === null || !isShared(this.#last, one)) this.#share(one)
    const start = `["${one.identity}",${JSON.stringify(one.name)},${one.case},${one.durationMs}`
    const { attempts: all, outputs: texts, attachments: files, retryMark } = one
    const [first] = all
    const isPlain = all.length === 1 && first?.failures.length === 0 && first.durationMs === one.durationMs
    if (isPlain && texts.length === 0 && files.length === 0 && retryMark === null) {
      return start + this.#plain[first.outcome]
    }
    const attempts = isPlain ? outcomes.indexOf(first.outcome) : JSON.stringify(all.map(toAttemptLine))
    const outputs = texts.length === 0 ? 0 : JSON.stringify(texts)
    const attachments = files.length === 0 ? 0 : JSON.stringify(files)
    return `${start},${attempts},${JSON.stringify(retryMark)},${outputs},${attachments}${this.#shared}`
  }

  #share({ suite, class: className, parameters, file, environment, source }: Shared): void {
    this.#last = { suite, class: className, parameters, file, environment, source }
    const names = [suite, className, parameters, file, environment, source]
    this.#shared = `,${names.map((name) => JSON.stringify(name)).join(',')}]`
    for (const [index, outcome] of outcomes.entries()) this.#plain[outcome] = `,${index},null,0,0${this.#shared}`
  }
}

function isShared(a: Shared, b: Shared): boolean {
  if (a.class !== b.class || a.suite !== b.suite || a.file !== b.file) return false
  return a.parameters === b.parameters && a.environment === b.environment && a.source === b.source
}

/** Parses a line that `CaseFormatter` wrote. */
export function parseCase(text: string): ReportCase {
  // Only `CaseFormatter` writes such lines, into files that no one else can change. Checking a million would take long.
  const line: CaseLine = JSON.parse(text)
  const [identity, name, number, durationMs, attemptLines, retryMark, outputs, attachments, ...shared] = line
  const [suite, className, parameters, file, environment, source] = shared
  const attempts =
    typeof attemptLines === 'number'
      ? [{ outcome: requireAt(outcomes, attemptLines), durationMs, failures: [] }]
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
  return { outcome: requireAt(outcomes, outcome), durationMs, failures: failures === 0 ? [] : failures }
}
