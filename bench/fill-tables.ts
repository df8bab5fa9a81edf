import { digits, type FilledDatabase, findHighestId, moveSequence, numbers } from './filled-database.ts'

const dayMs = 86_400_000

/** Expressions of `n` for the columns in which a copy differs from its original. */
type Overrides = Record<string, string>

/**
 * Fills every table beside the builds as they would be in a workspace of so many builds. The database must hold one
 * crash and one test report with a failure, which the server has read, because their rows are copied.
 */
export async function fillTables(database: FilledDatabase, count: number): Promise<void> {
  await fillPeople(database, count)
  await fillOutbox(database, count)
  await fillUploads(database, count)
  await fillSymbols(database, count)
  await fillCrashes(database, count)
  await fillTests(database, count)
}

async function fillPeople(database: FilledDatabase, count: number): Promise<void> {
  const now = Date.now()
  const unique = digits(database)
  const add = (table: string, columns: string, rows: number, values: string) =>
    database.run(`insert into ${table} (${columns}) ${numbers(rows)} select ${values} from numbers`)
  await add(
    'accounts',
    'email, email_key, name, password_hash, created_at, verified_at',
    5000,
    `'a' || n || '@example.com', 'a' || n || '@example.com', 'Ada', 'none', ${now}, ${now}`,
  )
  await add('members', 'workspace_id, account_id, role, created_at', 300, `1, n, 'viewer', ${now}`)
  await add(
    'sessions',
    'account_id, token_hash, created_at, last_used_at, expires_at',
    20_000,
    `1 + n % 5000, ${unique}, ${now}, ${now}, ${now + dayMs} - n * 1000`,
  )
  await add('attempts', 'key_hash, attempts, ends_at', 50_000, `${unique}, 1, ${now} + n`)
  await add(
    'api_tokens',
    'workspace_id, name, role, token_hash, created_at',
    1000,
    `1, 'ci', 'developer', ${unique}, ${now}`,
  )
  await add(
    'testers',
    'workspace_id, email, email_key, created_at',
    5000,
    `1, 't' || n || '@example.com', 't' || n || '@example.com', ${now}`,
  )
  const group = (await findHighestId(database, 'distribution_groups')) - 1
  await add('group_testers', 'group_id, tester_id', 5000, `${group}, n`)
  await add(
    'audit_events',
    'workspace_id, action, actor_kind, actor_id, actor_name, address, target, details, created_at',
    count,
    `1, case when n % 1000 = 0 then 'token.create' else 'build.upload' end, 'token', 1, 'ci', '192.0.2.1',
     '/v2/builds', '{}', ${now - 364 * dayMs} + n`,
  )
}

async function fillOutbox(database: FilledDatabase, count: number): Promise<void> {
  const now = Date.now()
  const builds = await findHighestId(database, 'builds')
  const add = (table: string, columns: string, rows: number, values: string) =>
    database.run(`insert into ${table} (${columns}) ${numbers(rows)} select ${values} from numbers`)
  await add('mail_notes', 'text, html', count / 100, `'Notes ' || n, '<p>Notes</p>'`)
  await add(
    'mails',
    'workspace_id, build_id, recipient, subject, text, html, notes_id, status, created_at, sent_at',
    count / 2,
    `1, ${builds} - n, 't' || n || '@example.com', 'A new build', '${'Text '.repeat(60)}',
     '${'<p>Text</p>'.repeat(80)}',
     1 + n % ${count / 100}, case when n % 1000 = 0 then 'waiting' else 'sent' end, ${now - 89 * dayMs} + n, ${now}`,
  )
  await add(
    'jobs',
    'kind, key, payload, run_at, created_at',
    20_000,
    `'send-mail', 'mail:' || n, '{"mailId":1}', ${now + dayMs} + n, ${now}`,
  )
  await add(
    'build_notifications',
    'build_id, tester_id, created_at',
    count,
    `${builds} - n / 2500, 1 + n % 5000, ${now}`,
  )
  const middle = builds - Math.floor(count / 2)
  await add(
    'installs',
    'build_id, tester_id, kind, created_at',
    count,
    `case when n % 100 = 0 then ${middle} else ${builds} - n end, 1 + n % 5000, 'install', ${now} - n % 90 * ${dayMs}`,
  )
}

async function fillUploads(database: FilledDatabase, count: number): Promise<void> {
  const now = Date.now()
  const builds = await findHighestId(database, 'builds')
  const application = await findHighestId(database, 'applications')
  const unique = digits(database)
  await database.run(
    `insert into idempotency_keys (workspace_id, key, build_id, created_at)
     ${numbers(count / 10)} select 1, ${unique}, ${builds} - n, ${now} - n from numbers`,
  )
  await database.run(
    `insert into unfinished_uploads (id, workspace_id, application_id, api_token_id, alias, length, received, build_id,
       created_at, expires_at)
     ${numbers(5000)} select 'upload-' || n, 1, ${application}, 1, 'bench', 1000, 0,
       case when n > 100 then ${builds} - n end, ${now}, ${now + dayMs} from numbers`,
  )
  await database.run(
    `insert into upload_parts (upload_id, start, size, blob_key, position)
     ${numbers(10_000)} select 'upload-' || (1 + n % 100), n, 1, ${unique}, 0 from numbers`,
  )
}

async function fillSymbols(database: FilledDatabase, count: number): Promise<void> {
  const now = Date.now()
  const builds = await findHighestId(database, 'builds')
  const application = await findHighestId(database, 'applications')
  const files = await findHighestId(database, 'symbols_files')
  const unique = digits(database)
  await database.run(
    `insert into build_images (build_id, name, uuid)
     ${numbers(count)} select ${builds} - n, 'classes.dex', ${unique} from numbers`,
  )
  await database.run(
    `insert into symbols_files (id, workspace_id, application_id, blob_id, kind, uploaded_at)
     ${numbers(count / 20)} select ${files} + n, 1, ${application}, 1 + n, 'proguard', ${now} from numbers`,
  )
  await moveSequence(database, 'symbols_files')
  await database.run(
    `insert into symbols_images (symbols_file_id, application_id, name, uuid, blob_id)
     ${numbers(count / 20)} select ${files} + n, ${application}, 'classes.dex', ${unique}, 1 + n from numbers`,
  )
}

async function fillCrashes(database: FilledDatabase, count: number): Promise<void> {
  const unique = digits(database)
  const [groups, stacks, releases] = [count / 200, count / 100, 2000]
  const copy = (table: string, rows: number, overrides: Overrides) => copyRow(database, table, rows, overrides)
  const release = `1 + n % ${releases}`
  const stack = `1 + n % ${stacks}`
  await copy('releases', releases, { short_version: `'2.' || n`, version: `cast(n as text)` })
  await copy('crash_groups', groups, {
    title: `'Error ' || n`,
    last_seen_at: 'last_seen_at - n',
    crash_count: `${count / groups}`,
    first_release_id: release,
    last_release_id: release,
  })
  await copy('crash_group_keys', groups, { key_hash: unique, group_id: '1 + n' })
  await copy('crash_stacks', stacks, {
    hash: unique,
    key_hash: unique,
    group_id: `1 + n % ${groups}`,
    crash_count: `${count / stacks}`,
    first_release_id: release,
    last_release_id: release,
    first_crash_id: '1 + n',
  })
  await copy('crashes', count, {
    stack_id: stack,
    source_id: unique,
    release_id: release,
    received_at: 'received_at - 1000 * n',
    occurred_at: 'occurred_at - 1000 * n',
    install_id: `'install-' || (n % 100000)`,
  })
  await copy('crash_reports', count / 20, {
    crash_id: '1 + n',
    stack_id: stack,
    is_first: `case when n < ${stacks} then 1 else 0 end`,
  })
  await copy('crash_days', stacks * 20, { stack_id: stack, release_id: `1 + n / ${stacks}`, day: 'day - n % 80' })
  await copy('crash_values', stacks * 5, { stack_id: stack, value: `'model ' || (n / ${stacks})` })
  await database.run(
    `insert into crash_waits (stack_id, application_id, kind, ref, release_id, is_needed, is_found)
     ${numbers(stacks)} select n, (select max(id) from applications), 'proguard', ${unique}, ${release}, 1, 0
     from numbers`,
  )
  await database.run(
    `insert into session_days (application_id, release_id, day, started_count, crashed_count)
     ${numbers(releases * 20)} select (select max(id) from applications), ${release}, 20600 - n / ${releases}, 1000, 3
     from numbers`,
  )
  await database.run(
    `insert into session_marks (application_id, session, is_started, is_crashed, marked_at)
     ${numbers(count / 2)} select (select max(id) from applications), ${unique}, 1, 0, ${Date.now()} - n from numbers`,
  )
}

async function fillTests(database: FilledDatabase, count: number): Promise<void> {
  const unique = digits(database)
  const [tests, runs, groups] = [20_000, count / 200, count / 500]
  const copy = (table: string, rows: number, overrides: Overrides) => copyRow(database, table, rows, overrides)
  const run = `1 + n % ${runs}`
  const test = `1 + n % ${tests}`
  await copy('test_runs', runs, {
    run_key: unique,
    branch: `case when n % 3 = 0 then 'main' else 'feature/' || n end`,
    commit_hash: unique,
  })
  await copy('test_reports', runs, { run_id: '1 + n' })
  await copy('tests', tests, { identity: unique, name: `'test ' || n`, flake_state: 'n % 3', last_run_id: run })
  await copy('test_results', count, {
    run_id: run,
    test_id: `1 + n / ${runs} + n % 100 * 200`,
    number: 'n',
    failure_id: 'null',
  })
  await copy('failure_groups', groups, { key: unique, last_run_id: run })
  await copy('test_failures', count / 20, { run_id: run, test_id: test, group_id: `1 + n % ${groups}` })
  await copy('flips', tests, { test_id: '1 + n', commit_key: unique })
  await copy('streaks', tests * 5, { test_id: test, branch: `'branch ' || (n / ${tests})` })
  await copy('test_days', tests * 20, { test_id: test, day: `'2026-' || (1 + n / ${tests})` })
  await database.run(
    `insert into test_attachments (run_id, application_id, test_id, environment_id, report_id, number, name, blob_id)
     ${numbers(count / 20)} select 2 + n % ${runs - 1}, (select max(id) from applications), ${test}, 0, 1, 1,
       'screen.png', 1 + n
     from numbers`,
  )
}

/** Inserts copies of the first row of a table; the copies of a row with an id get the next ids. */
async function copyRow(database: FilledDatabase, table: string, count: number, overrides: Overrides): Promise<void> {
  const [seed] = await database.run<Record<string, unknown>>(`select * from ${table} limit 1`)
  if (!seed) throw new Error(`${table} has no row to copy`)
  const columns = Object.keys(seed)
  const last = 'id' in seed ? await findHighestId(database, table) : 0
  const values: Overrides = { ...('id' in seed && { id: `${last} + n` }), ...overrides }
  await database.run(
    `insert into ${table} (${columns.join(', ')})
     ${numbers(count)} select ${columns.map((column) => values[column] ?? `seed.${column}`).join(', ')}
     from numbers, (select * from ${table} limit 1) as seed`,
  )
  if ('id' in seed) await moveSequence(database, table)
}
