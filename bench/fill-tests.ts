/** SQL that fills a server's database with test runs. Both databases understand it. */

export interface TestHistory {
  applicationId: number
  runs: number
  tests: number
}

export interface FillOptions {
  /** A clause with which PostgreSQL accepts given ids: `overriding system value`. */
  override: string
}

const day = 86_400_000
/** How many results a test shows in its strip, and for how many days its durations are kept. */
const [recentCount, dayCount] = [64, 60]
/** One result in a hundred failed. */
const failedShare = 100

/**
 * Returns the statements that create the runs of an application, with a result of every test in each of them. The pages
 * of a short and a long history show equally much: every test has 64 recent results and 60 days.
 */
export function listFillStatements({ applicationId, runs, tests }: TestHistory, { override }: FillOptions): string[] {
  const now = Date.now()
  const start = now - 180 * day
  const numbers = (count: number) =>
    `(with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${count})
      select n from numbers) as numbers`
  const groups = Math.max(10, runs / 10)
  const hasFailed = `(run.id * 7 + test.id * 13) % ${failedShare} = 0`
  const verdict = JSON.stringify({
    result: 'fail',
    reasons: [{ code: 'new', count: 10, detail: '10 tests fail that did not fail at the base' }],
    counts: { new: 10, known: 0, flaky: 0, quarantined: 0, infrastructure: 0, passed: tests - 10, skipped: 0 },
    crashes: [],
    base: null,
  })
  const recent = JSON.stringify(
    Array.from({ length: recentCount }, (_, index) => [(index % runs) + 1, index % 50 === 7 ? 1 : 0, 12.5, 0, 0]),
  )
  const attempts = JSON.stringify([
    {
      outcome: 'failed',
      durationMs: 12.5,
      failures: [{ kind: 'failure', type: 'Error', message: 'expected 2', place: null, details: null }],
    },
  ])
  return [
    `insert into test_runs (id, workspace_id, application_id, run_key, branch, commit_hash, attempt, state,
       shards_received, cases, passed, failed, attempts, report_count, verdict, created_at, updated_at, completed_at)
     ${override}
     select n, 1, ${applicationId}, 'run ' || n, case when n % 4 = 0 then 'main' else 'feature' end, 'commit' || n, 1,
       'complete', '[]', ${tests}, ${tests - 10}, 10, ${tests}, 1, '${verdict}',
       ${start} + n * cast(${Math.floor((180 * day) / runs)} as bigint),
       ${start} + n * cast(${Math.floor((180 * day) / runs)} as bigint),
       ${start} + n * cast(${Math.floor((180 * day) / runs)} as bigint)
     from ${numbers(runs)}`,
    `insert into test_reports (id, run_id, application_id, attempt, shard, sha256, format, counts, warnings, created_at)
     ${override}
     select id, id, ${applicationId}, 1, 0, 'sha' || id, 'junit', '{}', '[]', created_at from test_runs`,
    `insert into tests (id, workspace_id, application_id, identity, suite, class, name, last_run_id, last_outcome,
       default_run_id, default_outcome, recent, p95_ms, flake_state, flake_cost, created_at)
     ${override}
     select n, 1, ${applicationId}, 'identity ' || n, 'app', 'com.example.shop.Part' || (n % 40) || 'Test',
       'keeps the cart of customer ' || n, ${runs}, 0, ${runs}, case when n % 10 = 3 then 1 else 0 end,
       '${recent}', (n * 37) % 5000, case when n % 10 = 7 then 2 else 0 end, n % 10, ${start}
     from ${numbers(tests)}`,
    `insert into failure_groups (id, application_id, key, title, frames, first_run_id, last_run_id, created_at)
     ${override}
     select n, ${applicationId}, 'key ' || n, 'Error: expected ' || n, '["com.example.Cart.add"]', 1, ${runs}, ${now}
     from ${numbers(groups)}`,
    `insert into test_failures (id, run_id, test_id, environment_id, report_id, number, group_id, is_device_failure,
       type, message, attempts, outputs)
     ${override}
     select run.id * 10000 + test.id, run.id, test.id, 0, run.id, 1, (run.id + test.id) % ${groups} + 1, 0, 'Error',
       'expected 2', '${attempts}', '[]'
     from test_runs as run cross join tests as test where ${hasFailed}`,
    `insert into test_results (run_id, test_id, environment_id, report_id, number, case_number, is_marked, outcome,
       is_flaky, attempts, failed_attempts, duration_ms, classification, failure_id)
     select run.id, test.id, 0, run.id, 1, 1, 0, case when ${hasFailed} then 1 else 0 end, 0, 1,
       case when ${hasFailed} then 1 else 0 end, (run.id + test.id) % 500,
       case when ${hasFailed} then 5 else null end,
       case when ${hasFailed} then run.id * 10000 + test.id else null end
     from test_runs as run cross join tests as test order by run.id, test.id`,
    `insert into test_days (test_id, day, runs, failed, flaky, duration_ms)
     select id, column1, 55, 1, 0, 700 from tests cross join (values ${listDays(now)}) as days`,
    `insert into streaks (test_id, branch, environment_id, last_passed_run_id, first_failed_run_id, last_run_id)
     select id, 'main', 0, 1, 2, ${runs} from tests where default_outcome = 1`,
    `insert into flips (test_id, environment_id, commit_key, commit_hash, group_ids, flipped_at)
     select id, 0, 'commit1', 'commit1', '[1]', ${now} from tests where flake_state = 2`,
  ]
}

function listDays(now: number): string {
  return Array.from({ length: dayCount }, (_, index) => {
    return `('${new Date(now - index * day).toISOString().slice(0, 10)}')`
  }).join(', ')
}
