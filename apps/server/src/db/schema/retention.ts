/** The tables of retention as Kysely types. */
import type { RetentionRule } from '@fairlead/contract'
import type { Generated } from 'kysely'
import type { JsonText } from '../json-text.ts'

/** The rules of an application, and when they are run next. */
interface RetentionsTable {
  application_id: number
  workspace_id: number
  is_enabled: number
  /** Null for an application without rules of its own, whose row only says when those of the workspace are run. */
  rules: JsonText<RetentionRule[]> | null
  keep_distributed_days: number
  quiet_branch_days: number | null
  next_run_at: number | null
}

/** The rules that a run follows to its end, whatever changes meanwhile. */
export interface RunSettings {
  rules: RetentionRule[]
  keepDistributedDays: number
  quietBranchDays: number | null
}

interface RetentionRunsTable {
  id: Generated<number>
  workspace_id: number
  application_id: number
  trigger: 'schedule' | 'hand'
  state: 'running' | 'done' | 'undone'
  settings: JsonText<RunSettings>
  /** 1 once all candidates have a line. */
  is_judged: Generated<number>
  /** The highest build id whose line was worked off. */
  position: Generated<number>
  candidate_count: Generated<number>
  trashed_count: Generated<number>
  spared_count: Generated<number>
  trashed_bytes: Generated<number>
  restored_count: Generated<number>
  /** Also the time at which the ages of builds are compared. */
  started_at: number
  finished_at: number | null
}

/** A candidate of a run, and what became of it; it outlives the build. */
interface RetentionLinesTable {
  run_id: number
  build_id: number
  short_version: string
  version: string
  branch: string | null
  size: number
  /** The place of the rule in the list of rules, from 0. */
  rule: number
  state: 'waiting' | 'trashed' | 'spared' | 'restored'
}

export interface RetentionSchema {
  retentions: RetentionsTable
  retention_runs: RetentionRunsTable
  retention_lines: RetentionLinesTable
}
