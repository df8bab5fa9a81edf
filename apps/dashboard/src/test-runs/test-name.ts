import type { TestCounts, TestRun } from '@fairlead/contract'

interface Named {
  suite: string | null
  class: string | null
  name: string
  parameters: string | null
  file: string | null
}

/** Returns the name of a test with its parameters: `adds two numbers [1, 2]`. */
export function toTestName({ name, parameters }: Pick<Named, 'name' | 'parameters'>): string {
  return parameters === null || parameters === '' ? name : `${name} [${parameters}]`
}

/** Returns the suite of a test with its class, or with its file if no class is named: `unit › shop.CartTest`. */
export function toTestPlace({ suite, class: className, file }: Pick<Named, 'suite' | 'class' | 'file'>): string {
  const parts = [suite, className ?? file].filter((part) => part !== null && part !== '')
  return [...new Set(parts)].join(' › ')
}

/** Formats milliseconds: `142 ms`, `3.4 s`, `2 min 5 s`. */
export function formatDuration(ms: number): string {
  if (ms < 999.5) return `${ms < 10 ? Math.round(ms * 10) / 10 : Math.round(ms)} ms`
  if (ms < 59_950) return `${Math.round(ms / 100) / 10} s`
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/** Returns the name of a run. Its key, which CI chose, is a detail, because not every answer of the API has it. */
export function toRunName({ id }: { id: number }): string {
  return `Run ${id}`
}

export type ShownOutcome = 'passed' | 'failed' | 'flaky' | 'skipped'

/** Splits counts into parts that add up: a flaky case passed in the end and counts in `passed` as well. */
export function toParts({ passed, failed, flaky, skipped }: TestCounts): [ShownOutcome, number][] {
  return [
    ['failed', failed],
    ['flaky', flaky],
    ['passed', passed - flaky],
    ['skipped', skipped],
  ]
}

/** Names the filter of passed cases by the parts that it shows: `Passed 116, flaky 1`. */
export function describePassed({ passed, flaky }: Pick<TestCounts, 'passed' | 'flaky'>): string {
  return `Passed ${passed - flaky}${flaky === 0 ? '' : `, flaky ${flaky}`}`
}

export function describeCounts(counts: TestCounts): string {
  const parts = toParts(counts).flatMap(([outcome, count]) => (count === 0 ? [] : [`${count} ${outcome}`]))
  return parts.length === 0 ? 'no tests' : parts.join(', ')
}

/** Describes the cases of a run. Failures that do not fail it are called by why: `1 known, 29 passed`. */
export function describeRun({ counts, failures, result }: Pick<TestRun, 'counts' | 'failures' | 'result'>): string {
  if (result !== 'pass' || failures === null || counts.failed === 0) return describeCounts(counts)
  const excused = [
    [failures.known, 'known'],
    [failures.quarantined, 'quarantined'],
    [failures.flaky, 'known to be flaky'],
  ] as const
  const parts = excused.flatMap(([count, word]) => (count === 0 ? [] : [`${count} ${word}`]))
  return [...parts, describeCounts({ ...counts, failed: 0 })].join(', ')
}
