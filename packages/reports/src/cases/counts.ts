import type { Attempt, Counts, Outcome } from '../report.ts'

export function emptyCounts(): Counts {
  return { cases: 0, passed: 0, failed: 0, skipped: 0, flaky: 0, attempts: 0 }
}

/** Adds one case to `counts`. */
export function addToCounts(counts: Counts, one: { outcome: Outcome; isFlaky: boolean; attempts: unknown[] }): void {
  counts.cases++
  counts[one.outcome]++
  if (one.isFlaky) counts.flaky++
  counts.attempts += one.attempts.length
}

/** Counts cases, or anything else with an outcome and attempts. */
export function countCases(cases: Iterable<{ outcome: Outcome; isFlaky: boolean; attempts: unknown[] }>): Counts {
  const counts = emptyCounts()
  for (const one of cases) addToCounts(counts, one)
  return counts
}

/** Returns the outcome of a case, which is that of its last attempt. */
export function judgeAttempts(attempts: readonly Pick<Attempt, 'outcome'>[]): { outcome: Outcome; isFlaky: boolean } {
  const outcome = attempts.at(-1)?.outcome ?? 'skipped'
  return { outcome, isFlaky: outcome === 'passed' && attempts.some((attempt) => attempt.outcome === 'failed') }
}
