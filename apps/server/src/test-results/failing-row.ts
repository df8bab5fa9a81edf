import type { FailureClass } from '@fairlead/contract'
import type { Asserted } from './asserted.ts'

/** A row of a run with a failed attempt, whether it is the last attempt of its case or an earlier one. */
export interface FailingRow {
  testId: number
  environmentId: number
  reportId: number
  number: number
  /** Null for a row that a later one replaced. */
  caseNumber: number | null
  /** Whether the last attempt of the row failed. */
  hasFailed: boolean
  failureId: number
  groupId: number | null
  /** The group of the judgement before, if the failure has moved since then. */
  judgedGroupId: number | null
  groupKey: string | null
  /** The keys of the groups of the other failures of the case. */
  otherKeys: string[]
  /** The failed assertion, if it is one. */
  assertion: Asserted | null
  /** Equal for failures in the same functions of the product; null without such functions. */
  productKey: string | null
  isDeviceFailure: boolean
  /** The class of the judgement before. */
  classification: FailureClass | null
  runAttempt: number
  shard: number
}
