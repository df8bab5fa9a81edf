import type { FailureClass, TestOutcome } from '@fairlead/contract'

/** Rows hold the index of an outcome or a class in these lists. */
const outcomes: readonly TestOutcome[] = ['passed', 'failed', 'skipped']
const classes: readonly FailureClass[] = ['infrastructure', 'quarantined', 'flaky', 'known', 'new']

export const passed = 0
export const failed = 1
export const skipped = 2
export const infrastructure = 0

export function toOutcomeCode(outcome: TestOutcome): number {
  return outcomes.indexOf(outcome)
}

export function toOutcome(code: number): TestOutcome {
  return outcomes[code] ?? 'skipped'
}

export function toClassCode(name: FailureClass): number {
  return classes.indexOf(name)
}

export function toFailureClass(code: number | null): FailureClass | null {
  return code === null ? null : (classes[code] ?? null)
}
