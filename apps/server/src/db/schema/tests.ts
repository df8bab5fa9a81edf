/** The tables of test analysis as Kysely types. Flags are 0 or 1; environment 0 is none. */
import type { Generated } from 'kysely'
import type { TestDuration, TestReport, Verdict } from '@fairlead/contract'
import type { Attempt, Output, ReportSummary } from '@fairlead/reports'
import type { JsonText } from '../json-text.ts'

/** A list instead of an object: names would make the largest column twice as long. */
export type StoredResult = [
  runId: number,
  outcome: number,
  durationMs: number | null,
  environmentId: number,
  /** 1 if the test passed after a failed attempt. */
  isFlaky: 0 | 1,
]

interface TestRunsTable {
  id: Generated<number>
  workspace_id: number
  application_id: number
  /** Null for an upload without a key, which is a run of its own. */
  run_key: string | null
  branch: string | null
  commit_hash: string | null
  base_commit: string | null
  ci_url: string | null
  build_id: number | null
  /** The highest run attempt that has arrived. */
  attempt: number
  state: 'open' | 'complete'
  /** Whether a broken file was left out of a report. */
  has_left_out: Generated<number>
  /** Whether a report announced cases and ran none, because the process crashed. */
  has_crashed: Generated<number>
  shards_expected: number | null
  /** The numbers of the shards that have arrived, ascending. */
  shards_received: JsonText<number[]>
  cases: Generated<number>
  passed: Generated<number>
  failed: Generated<number>
  skipped: Generated<number>
  flaky: Generated<number>
  attempts: Generated<number>
  /** Of all cases, once the run is judged; null for runs that an earlier version judged. */
  duration_ms: number | null
  /** Zero until the first report is complete; such a run is not shown. */
  report_count: Generated<number>
  base_run_id: number | null
  /** Made when the run completes. */
  verdict: JsonText<Verdict> | null
  created_at: number
  updated_at: number
  completed_at: number | null
  /** How much was deleted because of age: 1 attachments of passed cases, 2 all attachments, 3 results as well. */
  retention: Generated<number>
  /** Whether failures have moved to other groups since it was judged: 1 those of the run, 2 those of its base. */
  has_moved: Generated<number>
  /** What a complete run still needs: 1 to be judged, 2 to bring its tests up to date. */
  unfinished: Generated<number>
}

interface TestReportsTable {
  id: Generated<number>
  run_id: number
  application_id: number
  attempt: number
  /** 0 when the run is not divided into shards. */
  shard: number
  /** Null until all rows of the report are written; the rows of such a report are not shown. */
  sha256: string | null
  blob_id: number | null
  /** The texts of failures and outputs; see `openDetails` of packages/reports. */
  details_blob_id: number | null
  format: ReportSummary['format']
  counts: JsonText<TestReport['counts']>
  warnings: JsonText<TestReport['warnings']>
  /** How many tests or failures its totals announce beyond those that it holds. */
  unlisted: Generated<number>
  created_at: number
}

interface EnvironmentsTable {
  id: Generated<number>
  application_id: number
  name: string
}

interface TestsTable {
  id: Generated<number>
  workspace_id: number
  application_id: number
  /** 32 hexadecimal digits; see `identify` of packages/reports. */
  identity: string
  suite: string | null
  class: string | null
  name: string
  parameters: string | null
  file: string | null
  /** An owner that was set by hand, which overrides `code_owner`. */
  owner: string | null
  /** The owners by the application's CODEOWNERS file; empty if there is none, null before the file was searched. */
  code_owner: string | null
  merged_into: number | null
  last_run_id: number | null
  last_outcome: number | null
  /** The last run on the default branch, and what the test did there. */
  default_run_id: number | null
  default_outcome: number | null
  /** The last complete run in which every case of the test passed, and how many there were in one environment. */
  green_run_id: number | null
  green_cases: number | null
  /** The last 64 results, oldest first; see test-history/recent-results.ts. */
  recent: Generated<JsonText<StoredResult[]>>
  p95_ms: number | null
  /** 0 healthy, 1 suspect, 2 flaky. */
  flake_state: Generated<number>
  flake_cost: Generated<number>
  last_flip_at: number | null
  passes_since_flip: Generated<number>
  created_at: number
}

/** A row of a report. Rows whose `case_number` is null belong to an earlier attempt or to a report still arriving. */
interface TestResultsTable {
  run_id: number
  test_id: number
  environment_id: number
  report_id: number
  /** Counts the rows of a test and environment within its report. */
  number: number
  case_number: number | null
  /** `report_id.number` of the row that is the last attempt of the same case. */
  retried_by: string | null
  /** Whether the report itself says which rows are attempts of one case. */
  is_marked: number
  outcome: number
  is_flaky: number
  attempts: number
  failed_attempts: number
  duration_ms: number | null
  classification: number | null
  failure_id: number | null
}

interface FailureGroupsTable {
  id: Generated<number>
  application_id: number
  /** The digest of the exception, the message without numbers and quotations, and three frames. */
  key: string
  title: string
  type: string | null
  frames: JsonText<string[]>
  first_run_id: number | null
  last_run_id: number | null
  created_at: number
}

interface TestFailuresTable {
  id: Generated<number>
  run_id: number
  test_id: number
  environment_id: number
  report_id: number
  number: number
  group_id: number | null
  /** The group in which the run was judged, if the failure has moved since then. */
  judged_group_id: number | null
  /** Equal for failures in the same functions of the product; null for those without such functions. */
  product_key: Generated<string | null>
  /** The keys of the groups of the case's other failures, such as soft assertions; null without any. */
  other_keys: Generated<JsonText<string[]> | null>
  /** What tells failed assertions of one group apart (`test-results/asserted.ts`). */
  assertion: Generated<JsonText<{ lines: number[]; values: string[] }> | null>
  is_device_failure: number
  type: string | null
  message: string | null
  file: string | null
  line: number | null
  /** Tells which texts may have a stack trace: 0 none, 1 the failure, 2 also outputs or attachments. */
  trace: Generated<number>
  /** The crash of the app that the failure holds, by its exception and the innermost frame of the app. */
  crash_title: string | null
  attempts: JsonText<Attempt[]>
  outputs: JsonText<Output[]>
}

interface TestAttachmentsTable {
  id: Generated<number>
  run_id: number
  application_id: number
  test_id: number
  environment_id: number
  report_id: number
  number: number
  /** The attempt in the row of the case, from 1; null if the report does not say it. */
  attempt: number | null
  name: string
  content_type: string | null
  blob_id: number | null
}

/** A test failed and passed on one commit in one environment. */
interface FlipsTable {
  test_id: number
  environment_id: number
  /** The commit, or `run <id>` for a run without one. */
  commit_key: string
  commit_hash: string | null
  /** The failure groups that were seen. */
  group_ids: JsonText<number[]>
  flipped_at: number
}

interface StreaksTable {
  test_id: number
  /** Empty for runs without a branch. */
  branch: string
  environment_id: number
  last_passed_run_id: number | null
  /** Null while the test passes. */
  first_failed_run_id: number | null
  last_run_id: number
}

interface TestDaysTable {
  test_id: number
  day: string
  runs: number
  failed: number
  flaky: number
  duration_ms: number
}

interface QuarantinesTable {
  id: Generated<number>
  application_id: number
  test_id: number
  reason: string
  created_by: string
  created_at: number
  expires_at: number
}

/** The durations that the shards of one pipeline deal their test files by; kept for a week. */
interface TestSplitsTable {
  id: Generated<number>
  workspace_id: number
  application_id: number
  run_key: string
  durations: JsonText<TestDuration[]>
  created_at: number
}

interface CodeOwnersTable {
  application_id: number
  /** The CODEOWNERS file of the repository. */
  content: string
  updated_at: number
}

export interface TestsSchema {
  code_owners: CodeOwnersTable
  test_runs: TestRunsTable
  test_reports: TestReportsTable
  environments: EnvironmentsTable
  tests: TestsTable
  test_results: TestResultsTable
  failure_groups: FailureGroupsTable
  test_failures: TestFailuresTable
  test_attachments: TestAttachmentsTable
  flips: FlipsTable
  streaks: StreaksTable
  test_days: TestDaysTable
  quarantines: QuarantinesTable
  test_splits: TestSplitsTable
}
