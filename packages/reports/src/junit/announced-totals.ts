import type { CaseBuilder } from './case-builder.ts'

interface Totals {
  tests: number
  failures: number
}

interface OpenElement {
  announced: Totals
  held: Totals
}

/**
 * Compares what `testsuites` and `testsuite` elements announce in their attributes with the cases that they hold. A
 * report that announces more has lost something, such as a hook that failed or a file that could not be loaded. Its
 * counts stay those of its cases.
 */
export class AnnouncedTotals {
  readonly #open: OpenElement[] = []
  /** How many tests or failures are announced and not held, in the element that lacks most. */
  unlisted = 0

  open(attributes: Record<string, string>): void {
    const failures = toCount(attributes['failures']) + toCount(attributes['errors'])
    this.#open.push({
      announced: { tests: toCount(attributes['tests']), failures },
      held: { tests: 0, failures: 0 },
    })
  }

  /** Some tools count attempts, and some count elements of failures, so a case holds as many of them as it can. */
  addCase({ parts }: CaseBuilder, hasFailed: boolean): void {
    const held = this.#open.at(-1)?.held
    if (!held) return
    const reruns = parts === null ? 0 : parts.flaky.length + parts.reruns.length
    held.tests += 1 + reruns
    held.failures += Math.max(parts === null ? 0 : parts.failures.length + reruns, hasFailed ? 1 : 0)
  }

  close(): void {
    const closed = this.#open.pop()
    if (!closed) return
    const { announced, held } = closed
    this.unlisted = Math.max(this.unlisted, announced.tests - held.tests, announced.failures - held.failures)
    const parent = this.#open.at(-1)
    if (!parent) return
    parent.held.tests += held.tests
    parent.held.failures += held.failures
  }
}

function toCount(text: string | undefined): number {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : 0
}
