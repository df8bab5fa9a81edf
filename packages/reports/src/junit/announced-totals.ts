import type { CaseBuilder } from './case-builder.ts'

interface Totals {
  tests: number
  failures: number
  skipped: number
}

interface OpenElement {
  announced: Totals
  held: Totals
  /** How many tests the elements inside of it announce and do not hold. */
  lostInside: number
}

/**
 * Compares what `testsuites` and `testsuite` elements announce in their attributes with the cases that they hold. A
 * report that announces more has lost something, such as a hook that failed or a file that could not be loaded. Its
 * counts stay those of its cases. mocha-junit-reporter announces skipped tests and leaves them out: they are not lost.
 */
export class AnnouncedTotals {
  readonly #open: OpenElement[] = []
  /** How many tests or failures are announced and not held. */
  unlisted = 0

  open(attributes: Record<string, string>): void {
    const failures = toCount(attributes['failures']) + toCount(attributes['errors'])
    this.#open.push({
      announced: { tests: toCount(attributes['tests']), failures, skipped: toCount(attributes['skipped']) },
      held: { tests: 0, failures: 0, skipped: 0 },
      lostInside: 0,
    })
  }

  /** Some tools count attempts, and some count elements of failures, so a case holds as many of them as it can. */
  addCase({ parts }: CaseBuilder, hasFailed: boolean): void {
    const held = this.#open.at(-1)?.held
    if (!held) return
    const reruns = parts === null ? 0 : parts.flaky.length + parts.reruns.length
    held.tests += 1 + reruns
    held.skipped += parts?.skipped ? 1 : 0
    held.failures += Math.max(parts === null ? 0 : parts.failures.length + reruns, hasFailed ? 1 : 0)
  }

  close(): void {
    const closed = this.#open.pop()
    if (!closed) return
    const { announced, held, lostInside } = closed
    const leftOut = Math.max(0, announced.skipped - held.skipped)
    const lost = Math.max(0, Math.max(lostInside, announced.tests - held.tests) - leftOut)
    this.unlisted = Math.max(this.unlisted, announced.failures - held.failures)
    const parent = this.#open.at(-1)
    if (!parent) {
      this.unlisted = Math.max(this.unlisted, lost)
      return
    }
    parent.held.tests += held.tests
    parent.held.failures += held.failures
    parent.held.skipped += held.skipped
    parent.lostInside += lost
  }
}

function toCount(text: string | undefined): number {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : 0
}
