import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'

/** The tables whose rows people see, with a condition for rows that lists show, and the columns that people see. */
const tables = [
  {
    name: 'builds',
    kind: 'build',
    isShown: (row: string) => `${row}.trashed_at is null`,
    columns: ['release_notes', 'expires_at', 'pinned_at', 'link_password_hash', 'link_revoked_at', 'trashed_at'],
  },
  {
    name: 'crash_groups',
    kind: 'crashGroup',
    isShown: (row: string) => `${row}.redirect_id is null`,
    columns: [
      'title',
      'status',
      'is_regressed',
      'is_still_crashing',
      'assignee_id',
      'crash_count',
      'install_count',
      'message',
      'resolved_in_version',
      'ignored_until',
      'tracker_url',
      'redirect_id',
    ],
  },
  { name: 'feedback', kind: 'feedback', isShown: () => 'true', columns: ['status'] },
  { name: 'symbols_files', kind: 'symbolsFile', isShown: () => 'true', columns: [] },
  {
    name: 'test_runs',
    kind: 'testRun',
    isShown: (row: string) => `${row}.report_count > 0`,
    columns: [
      'state',
      'attempt',
      'cases',
      'passed',
      'failed',
      'skipped',
      'flaky',
      'attempts',
      'report_count',
      'verdict',
      'build_id',
      'branch',
      'commit_hash',
      'shards_received',
      'has_crashed',
      'has_left_out',
    ],
  },
]

/**
 * Lets PostgreSQL notify every process of changed rows when their transaction commits. Equal notifications of one
 * transaction become one. The embedded database reports to its only process; see `sqlite-change-feed.ts`.
 */
export async function addChangeFeed(db: Kysely<unknown>, engine: Engine): Promise<void> {
  if (engine === 'sqlite') return
  const run = async (text: string) => void (await sql.raw(text).execute(db))
  for (const { name, kind, isShown, columns } of tables) {
    const before = `(${columns.map((column) => `o.${column}`).join(', ')})`
    const now = `(${columns.map((column) => `n.${column}`).join(', ')})`
    const change = `case when not (${isShown('o')}) then 'created' when not (${isShown('n')}) then 'deleted'
      else 'changed' end`
    await run(`create function fairlead_tell_${name}() returns trigger language plpgsql as $body$ begin
      if tg_op = 'INSERT' then
        ${notify(kind, `select n.application_id, n.id, 'created' as change from new_rows n where ${isShown('n')}`)}
      elsif tg_op = 'DELETE' then
        ${notify(kind, `select o.application_id, o.id, 'deleted' as change from old_rows o where ${isShown('o')}`)}
      ${
        columns.length === 0
          ? ''
          : `else ${notify(
              kind,
              `select n.application_id, n.id, ${change} as change from new_rows n join old_rows o on o.id = n.id
              where (${isShown('n')} or ${isShown('o')}) and ${before} is distinct from ${now}`,
            )}`
      }
      end if;
      return null;
    end $body$`)
    for (const event of columns.length === 0 ? ['insert', 'delete'] : ['insert', 'update', 'delete']) {
      await run(addTrigger(name, event, `fairlead_tell_${name}()`))
    }
  }
  await addDistributionTriggers(run)
  await addApplicationTriggers(run)
  await addAccessTriggers(run)
}

/** Notifies of rows with `application_id`, `id` and `change`. A payload may have 8000 bytes, so ids are limited. */
function notify(kind: string, rows: string): string {
  return `perform pg_notify('fairlead_changes', json_build_object('id', txid_current()::text,
      'workspaceId', a.workspace_id, 'kind', '${kind}', 'change', c.change, 'applicationId', a.id,
      'ids', case when c.number <= 100 then c.ids end)::text)
    from (select application_id, change, count(*) as number, (array_agg(id order by id))[1:100] as ids
      from (${rows}) r group by application_id, change) c
    join applications a on a.id = c.application_id;`
}

/** The rows of a statement are only there for triggers of one event. */
function addTrigger(table: string, event: string, call: string): string {
  const rows = [
    ...(event === 'insert' ? [] : ['old table as old_rows']),
    ...(event === 'delete' ? [] : ['new table as new_rows']),
  ]
  return `create trigger fairlead_tell_${event} after ${event} on ${table} referencing ${rows.join(' ')}
    for each statement execute function ${call}`
}

/** A build that is distributed, or taken back from a group, has changed. */
async function addDistributionTriggers(run: (text: string) => Promise<void>): Promise<void> {
  const rows = (name: string) => `select distinct b.application_id, b.id, 'changed' as change
    from ${name} g join builds b on b.id = g.build_id where b.trashed_at is null`
  await run(`create function fairlead_tell_build_groups() returns trigger language plpgsql as $body$ begin
    if tg_op = 'INSERT' then ${notify('build', rows('new_rows'))}
    else ${notify('build', rows('old_rows'))}
    end if;
    return null;
  end $body$`)
  for (const event of ['insert', 'delete']) {
    await run(addTrigger('build_groups', event, 'fairlead_tell_build_groups()'))
  }
}

/** Triggers of rows with a condition, because an application is often updated and seldom changed. */
async function addApplicationTriggers(run: (text: string) => Promise<void>): Promise<void> {
  const columns = ['name', 'alias', 'bundle_identifier', 'commit_url', 'default_branch', 'linked_application_id']
  const list = (row: string) => `(${columns.map((column) => `${row}.${column}`).join(', ')})`
  await run(`create function fairlead_tell_applications() returns trigger language plpgsql as $body$
    declare one applications%rowtype;
    begin
      if tg_op = 'DELETE' then one := old; else one := new; end if;
      perform pg_notify('fairlead_changes', json_build_object('id', txid_current()::text,
        'workspaceId', one.workspace_id, 'kind', 'application', 'change', tg_argv[0], 'applicationId', one.id,
        'ids', json_build_array(one.id))::text);
      return null;
    end $body$`)
  const call = (change: string) => `for each row execute function fairlead_tell_applications('${change}')`
  const update = `for each row when (${list('old')} is distinct from ${list('new')})`
  await run(`create trigger fairlead_tell_insert after insert on applications ${call('created')}`)
  await run(`create trigger fairlead_tell_delete after delete on applications ${call('deleted')}`)
  await run(`create trigger fairlead_tell_update after update on applications ${update}
    execute function fairlead_tell_applications('changed')`)
}

/** Tells whose access may have ended, so that open streams of events end with it. */
async function addAccessTriggers(run: (text: string) => Promise<void>): Promise<void> {
  const add = async (name: string, table: string, event: string, names: Record<string, string>, condition = '') => {
    const values = Object.entries({ accountId: 'null', apiTokenId: 'null', workspaceId: 'null', ...names })
    const object = values.map(([key, column]) => `'${key}', ${column === 'null' ? 'null' : `o.${column}`}`).join(', ')
    await run(`create function fairlead_tell_${name}() returns trigger language plpgsql as $body$ begin
      perform pg_notify('fairlead_changes', told) from (
        select distinct json_build_object(${object})::text as told from old_rows o ${condition}) t;
      return null;
    end $body$`)
    const trigger = addTrigger(table, event, `fairlead_tell_${name}()`)
    await run(trigger.replace('fairlead_tell_', 'fairlead_tell_access_'))
  }
  await add('ended_sessions', 'sessions', 'delete', { accountId: 'account_id' })
  await add('ended_members', 'members', 'delete', { accountId: 'account_id', workspaceId: 'workspace_id' })
  await add(
    'changed_members',
    'members',
    'update',
    { accountId: 'account_id', workspaceId: 'workspace_id' },
    'join new_rows n using (workspace_id, account_id) where n.role is distinct from o.role',
  )
  await add('ended_tokens', 'api_tokens', 'delete', { apiTokenId: 'id' })
  await add(
    'changed_accounts',
    'accounts',
    'update',
    { accountId: 'id' },
    `join new_rows n using (id)
     where (n.disabled_at, n.totp_enabled_at) is distinct from (o.disabled_at, o.totp_enabled_at)`,
  )
  await add('ended_workspaces', 'workspaces', 'delete', { workspaceId: 'id' })
  await add(
    'changed_workspaces',
    'workspaces',
    'update',
    { workspaceId: 'id' },
    `join new_rows n using (id) where (n.requires_two_factor, n.required_provider)
       is distinct from (o.requires_two_factor, o.required_provider)`,
  )
}
