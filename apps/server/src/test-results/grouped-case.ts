import type { ReportCase } from '@fairlead/reports'
import type { Asserted } from './asserted.ts'
import type { FailureGroupKey } from './group-key.ts'

/** The environment of results that name none. */
export const noEnvironment = 0

export interface CaseOwner {
  workspaceId: number
  applicationId: number
  runId: number
  reportId: number
}

/** A case with the group of its last failure, if it failed in any attempt. */
export interface GroupedCase {
  testCase: ReportCase
  group: FailureGroupKey | null
  /** The functions of the product in which it failed, see `product-frames.ts`. */
  productKey: string | null
  /** The keys of the groups of its other failures in the same attempt. */
  otherKeys: string[]
  /** The failed assertion, if it is one. */
  assertion: Asserted | null
  /** Whether its last failure names a lost device, network or disk. */
  isOfMachine: boolean
  /** Whether the text of its last failure holds a stack trace. */
  hasTrace: boolean
}

/** The first failure of the last attempt that failed. */
export function findLastFailure(testCase: Pick<ReportCase, 'attempts'>) {
  return listLastFailures(testCase)[0]
}

/** The failures of the last attempt that failed: several, where assertions do not end the test. */
export function listLastFailures({ attempts }: Pick<ReportCase, 'attempts'>) {
  return attempts.findLast(({ outcome }) => outcome === 'failed')?.failures ?? []
}
