import type { Outcome } from '../report.ts'

const outcomes: Record<string, Outcome | undefined> = Object.assign(Object.create(null), {
  Passed: 'passed',
  Success: 'passed',
  'Expected Failure': 'passed',
  Failed: 'failed',
  Failure: 'failed',
  Skipped: 'skipped',
})

export function toXcodeOutcome(result: string): Outcome | undefined {
  return outcomes[result]
}

/** Splits an identifier at its last slash into class and name. Without a slash, the suite is the class. */
export function splitIdentifier(
  identifier: string | null,
  suiteIdentifier: string | null,
  name: string | null,
): { class: string | null; name: string } {
  if (identifier === null || identifier === '') return { class: suiteIdentifier, name: name ?? '' }
  const slash = identifier.lastIndexOf('/')
  if (slash === -1) return { class: null, name: identifier }
  return { class: identifier.slice(0, slash), name: identifier.slice(slash + 1) }
}
