import type { FailureClass, TestOutcome } from '@fairlead/contract'

/** The filters in the URL of the list of runs. */
export interface RunsSearch {
  branch?: string | undefined
}

export function readRunsSearch({ branch }: Record<string, unknown>): RunsSearch {
  return { branch: readText(branch) }
}

export const testStates = ['failing', 'flaky', 'slow', 'quarantined'] as const
export type ListedState = (typeof testStates)[number]

/** The filters in the URL of the list of tests. Without a state all tests are listed, in a table that can be sorted. */
export interface TestsSearch {
  state?: ListedState | undefined
  q?: string | undefined
  /** From the slowest; by suite and name unless given. The server sorts, because a page shows few of the tests. */
  sort?: 'p95' | undefined
}

export function readTestsSearch({ state, q, sort }: Record<string, unknown>): TestsSearch {
  return {
    state: testStates.find((one) => one === state),
    q: readText(q),
    sort: sort === 'p95' ? sort : undefined,
  }
}

/** The search parameters of a test's page: a failure, the shift of its log against its video, or a run with files. */
export interface TestSearch {
  failure?: number | undefined
  /** Milliseconds by which the log is later than its times say. */
  shift?: number | undefined
  run?: number | undefined
}

export function readTestSearch({ failure, shift, run }: Record<string, unknown>): TestSearch {
  return { failure: readId(failure), shift: readShift(shift), run: readId(run) }
}

/** The most milliseconds that a log can be moved by. */
const maxShiftMs = 3_600_000

export function readShift(value: unknown): number | undefined {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value === 0) return undefined
  return Math.max(-maxShiftMs, Math.min(value, maxShiftMs))
}

/** The router parses numbers in a URL, which become text again. */
function readText(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && text !== '' ? text.slice(0, 200) : undefined
}

export function readId(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined
}

/** The cases of a run to list. */
export interface ResultFilter {
  outcome?: TestOutcome | undefined
  classification?: FailureClass | undefined
}
