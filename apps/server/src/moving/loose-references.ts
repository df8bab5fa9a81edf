/**
 * Ids that no foreign key declares: the row they name may be deleted earlier, or is inserted later. An import that
 * gives rows new ids has to know them. A test fails when a column named `…_id` is neither a foreign key nor listed
 * here.
 */
import type { Verdict } from '@fairlead/contract'
import type { StoredEvent } from '../db/schema/hooks.ts'
import type { StoredResult } from '../db/schema/tests.ts'
import type { RawRow } from './row-source.ts'

/** Returns the new id of a row. 0 stays 0, because it stands for none. */
export type Renumber = (table: string, id: number) => number

type Target = string | ((row: RawRow) => string | undefined)

/** By table and column, the table that the column's ids belong to. */
export const looseReferences: Readonly<Record<string, Readonly<Record<string, Target>>>> = {
  alerts: { subject_id: ({ kind }) => alertTables[String(kind)] },
  applications: { linked_application_id: 'applications' },
  audit_events: { actor_id: ({ actor_kind: kind }) => actorTables[String(kind)] },
  crash_stacks: { first_crash_id: 'crashes' },
  retention_lines: { build_id: 'builds' },
  failure_groups: { first_run_id: 'test_runs', last_run_id: 'test_runs' },
  flips: { environment_id: 'environments' },
  hook_deliveries: { redelivery_of: 'hook_deliveries' },
  streaks: {
    environment_id: 'environments',
    last_passed_run_id: 'test_runs',
    first_failed_run_id: 'test_runs',
    last_run_id: 'test_runs',
  },
  test_attachments: { test_id: 'tests', environment_id: 'environments', report_id: 'test_reports' },
  test_failures: {
    test_id: 'tests',
    environment_id: 'environments',
    report_id: 'test_reports',
    group_id: 'failure_groups',
    judged_group_id: 'failure_groups',
  },
  test_results: {
    test_id: 'tests',
    environment_id: 'environments',
    report_id: 'test_reports',
    failure_id: 'test_failures',
  },
  test_runs: { base_run_id: 'test_runs' },
  tests: { merged_into: 'tests', last_run_id: 'test_runs', default_run_id: 'test_runs', green_run_id: 'test_runs' },
}

const alertTables: Readonly<Record<string, string>> = {
  newCrashGroup: 'crash_groups',
  crashRegression: 'crash_groups',
  testVerdict: 'test_runs',
  feedback: 'feedback',
}

const actorTables: Readonly<Record<string, string>> = { account: 'accounts', token: 'api_tokens' }

/** By table and column, how to renumber ids that are a part of a text. */
export const embeddedIds: Readonly<
  Record<string, Readonly<Record<string, (text: string, renumber: Renumber) => string>>>
> = {
  flips: {
    commit_key: (text, renumber) => text.replace(/^run (\d+)$/, (_, id) => `run ${renumber('test_runs', Number(id))}`),
    group_ids: (text, renumber) =>
      JSON.stringify(parseColumn<number[]>(text).map((id) => renumber('failure_groups', id))),
  },
  hook_events: { event: renumberEvent },
  hooks: {
    application_ids: (text, renumber) =>
      JSON.stringify(parseColumn<number[]>(text).map((id) => renumber('applications', id))),
  },
  test_results: {
    retried_by: (text, renumber) => text.replace(/^\d+/, (id) => String(renumber('test_reports', Number(id)))),
  },
  test_runs: { verdict: renumberVerdict },
  tests: {
    recent: (text, renumber) =>
      JSON.stringify(
        parseColumn<StoredResult[]>(text).map(([run, outcome, duration, environment, isFlaky]) => [
          renumber('test_runs', run),
          outcome,
          duration,
          renumber('environments', environment),
          isFlaky,
        ]),
      ),
  },
}

/** Renumbers the ids of a `Verdict`. */
function renumberVerdict(text: string, renumber: Renumber): string {
  const verdict = parseColumn<Verdict>(text)
  return JSON.stringify({
    ...verdict,
    crashes: verdict.crashes.map((crash) => ({
      ...crash,
      failureId: renumber('test_failures', crash.failureId),
      testId: renumber('tests', crash.testId),
    })),
    base: verdict.base && { ...verdict.base, runId: renumber('test_runs', verdict.base.runId) },
  })
}

const eventTables: Readonly<Record<string, string>> = {
  buildId: 'builds',
  symbolsFileId: 'symbols_files',
  crashGroupId: 'crash_groups',
  testRunId: 'test_runs',
  testId: 'tests',
  hookId: 'hooks',
  alertRuleId: 'alert_rules',
  feedbackId: 'feedback',
  retentionRunId: 'retention_runs',
}

/** Renumbers the ids of an event. Bodies that were made of it stay, because they are what was sent. */
function renumberEvent(text: string, renumber: Renumber): string {
  const event = parseColumn<StoredEvent>(text)
  const data = Object.entries(event.data).map(([name, value]) => {
    const table = eventTables[name]
    return [name, table !== undefined && typeof value === 'number' ? renumber(table, value) : value]
  })
  const { applicationId } = event
  return JSON.stringify({
    ...event,
    applicationId: applicationId === null ? null : renumber('applications', applicationId),
    data: Object.fromEntries(data),
  })
}

/** Parses the JSON of a column, of which db/schema/tests.ts says what it holds. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the type of the column
function parseColumn<Value>(text: string): Value {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an archive holds the rows of a server
  return JSON.parse(text) as Value
}
