/** The tables of background work as Kysely types. */
import type { Generated } from 'kysely'
import type { JsonText } from '../json-text.ts'
import type { JobKind, JobPayloads } from './job-payloads.ts'

interface JobsTable {
  id: Generated<number>
  kind: string
  /** At most one job exists per key. */
  key: string | null
  payload: JsonText<JobPayloads[JobKind]>
  run_at: number
  /** The number of claims so far. A worker compares it to find out whether its claim is still valid. */
  attempts: Generated<number>
  /** The end of the current claim; until then no other worker takes the job. Null when the job is unclaimed. */
  claimed_until: number | null
  last_error: string | null
  created_at: number
}

export interface JobsSchema {
  jobs: JobsTable
}
