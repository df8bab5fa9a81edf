/** Gives a case what its failures are compared by: the group of the first one, and what tells it from others. */
import type { Details, ReportCase } from '@fairlead/reports'
import { toAsserted } from './asserted.ts'
import { hasTrace } from './crash-text.ts'
import { type FailureText, toFailureGroupKey } from './group-key.ts'
import { type GroupedCase, listLastFailures } from './grouped-case.ts'
import { isMachineFailure } from './lost-machine.ts'
import { toProductKey } from './product-frames.ts'
import { toSaid } from './said.ts'
import { splitSoftFailures } from './soft-failures.ts'

type Failure = ReturnType<typeof listLastFailures>[number]

/** The most failures of one case that are compared. */
const maxFailures = 100
/** Stands for a failed case of which the report says nothing else. */
const noText: FailureText = { type: null, message: null, details: null }

/**
 * Yields after each failure and each of its parts, because those of one case may hold 25 MB, and other requests wait
 * meanwhile.
 */
export function* groupCase(testCase: ReportCase, details: Details | undefined): Generator<void, GroupedCase> {
  if (!testCase.attempts.some(({ outcome }) => outcome === 'failed')) {
    const none = { group: null, productKey: null, otherKeys: [], assertion: null }
    return { testCase, ...none, isOfMachine: false, hasTrace: false }
  }
  const [failure, ...further] = listLastFailures(testCase).slice(0, maxFailures)
  const first = failure === undefined ? noText : readFailure(failure, details)
  const [read = first, ...soft] = splitSoftFailures(first)
  yield
  const group = toFailureGroupKey(read)
  const otherKeys = new Set<string>()
  for (const other of soft) {
    yield
    otherKeys.add(toFailureGroupKey(other).key)
  }
  for (const other of further) {
    yield
    otherKeys.add(toFailureGroupKey(readFailure(other, details)).key)
  }
  yield
  otherKeys.delete(group.key)
  return {
    testCase,
    group,
    productKey: toProductKey(read, { className: testCase.class, file: testCase.file }),
    otherKeys: [...otherKeys],
    assertion: toAsserted(read),
    isOfMachine: isMachineFailure(read),
    hasTrace: hasTrace(read.details ?? ''),
  }
}

function readFailure(failure: Failure, details: Details | undefined): FailureText {
  const reference = failure.details ?? null
  const text = reference === null || !details ? null : details.read(reference)
  const message = toSaid({ message: failure.message ?? null, details: text })
  return { type: failure.type ?? null, message, details: text }
}
