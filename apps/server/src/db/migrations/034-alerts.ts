import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import { createTableBuilder, maybe, of, required, zero } from '../table-builder.ts'

/** Adds alert rules, what they told of, the mails that wait, and counts by the minute. */
export async function addAlerts(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { table, withId, index } = createTableBuilder(db, engine)
  await withId('alert_rules')
    .addColumn('workspace_id', 'bigint', of('workspaces.id'))
    .addColumn('application_id', 'bigint', of('applications.id'))
    .addColumn('name', 'text', required)
    .addColumn('kind', 'text', required)
    .addColumn('threshold', 'double precision')
    .addColumn('window_minutes', 'bigint')
    .addColumn('minimum', 'bigint')
    .addColumn('branch', 'text')
    .addColumn('roles', 'text', required)
    .addColumn('quiet_hours', 'text')
    .addColumn('digest_minutes', 'bigint', required)
    .addColumn('cooldown_minutes', 'bigint', required)
    .addColumn('is_enabled', 'bigint', (column) => column.notNull().defaultTo(1))
    .addColumn('is_firing', 'bigint', zero)
    .addColumn('is_armed', 'bigint', (column) => column.notNull().defaultTo(1))
    .addColumn('last_fired_at', 'bigint')
    .addColumn('created_at', 'bigint', required)
    .addColumn('created_by', 'text')
    .execute()
  await index('alert_rules', ['application_id', 'kind']).execute()
  await index('alert_rules', ['workspace_id']).execute()

  await table('alert_rule_hooks')
    .addColumn('rule_id', 'bigint', of('alert_rules.id'))
    .addColumn('hook_id', 'bigint', of('hooks.id'))
    .addPrimaryKeyConstraint('alert_rule_hooks_key', ['rule_id', 'hook_id'])
    .execute()
  await index('alert_rule_hooks', ['hook_id']).execute()

  // Whoever leaves the workspace, in whatever way, leaves its rules by these references.
  await table('alert_rule_accounts')
    .addColumn('rule_id', 'bigint', of('alert_rules.id'))
    .addColumn('workspace_id', 'bigint', of('workspaces.id'))
    .addColumn('account_id', 'bigint', of('accounts.id'))
    .addPrimaryKeyConstraint('alert_rule_accounts_key', ['rule_id', 'account_id'])
    .addForeignKeyConstraint(
      'alert_rule_accounts_member',
      ['workspace_id', 'account_id'],
      'members',
      ['workspace_id', 'account_id'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .execute()
  await index('alert_rule_accounts', ['workspace_id', 'account_id']).execute()
  await index('alert_rule_accounts', ['account_id']).execute()

  await withId('alerts')
    .addColumn('workspace_id', 'bigint', of('workspaces.id'))
    .addColumn('application_id', 'bigint', of('applications.id'))
    .addColumn('rule_id', 'bigint', maybe('alert_rules.id'))
    .addColumn('rule_name', 'text', required)
    .addColumn('kind', 'text', required)
    .addColumn('title', 'text', required)
    .addColumn('detail', 'text')
    .addColumn('value', 'double precision')
    .addColumn('threshold', 'double precision')
    .addColumn('window_minutes', 'bigint')
    .addColumn('subject_id', 'bigint')
    .addColumn('fired_at', 'bigint', required)
    .execute()
  await index('alerts', ['application_id', 'id']).execute()
  await index('alerts', ['rule_id', 'subject_id', 'fired_at']).execute()
  await index('alerts', ['workspace_id']).execute()
  await index('alerts', ['fired_at']).execute()

  await withId('alert_notices')
    .addColumn('workspace_id', 'bigint', of('workspaces.id'))
    .addColumn('application_id', 'bigint', of('applications.id'))
    .addColumn('rule_id', 'bigint', of('alert_rules.id'))
    .addColumn('alert_id', 'bigint', of('alerts.id'))
    .addColumn('account_id', 'bigint', of('accounts.id'))
    .addColumn('due_at', 'bigint', required)
    .addColumn('is_held', 'bigint', zero)
    .addForeignKeyConstraint(
      'alert_notices_member',
      ['workspace_id', 'account_id'],
      'members',
      ['workspace_id', 'account_id'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .execute()
  await index('alert_notices', ['application_id', 'due_at']).execute()
  await index('alert_notices', ['workspace_id', 'account_id']).execute()
  for (const column of ['rule_id', 'alert_id', 'account_id']) await index('alert_notices', [column]).execute()

  await table('alert_minutes')
    .addColumn('application_id', 'bigint', of('applications.id'))
    .addColumn('minute', 'bigint', required)
    .addColumn('crashes', 'bigint', zero)
    .addColumn('installs', 'bigint', zero)
    .addColumn('started_sessions', 'bigint', zero)
    .addColumn('crashed_sessions', 'bigint', zero)
    .addPrimaryKeyConstraint('alert_minutes_key', ['application_id', 'minute'])
    .execute()
  await index('alert_minutes', ['minute']).execute()

  await addStartingRules(db)
}

/** What mailed developers of crashes before becomes rules of every application, and so does feedback. */
async function addStartingRules(db: Kysely<unknown>): Promise<void> {
  const now = Date.now()
  const mails = JSON.stringify(['developer', 'admin'])
  const add = async (name: string, kind: string, roles: string, { digest = 10, cooldown = 1440 } = {}) => {
    await sql`insert into alert_rules
      (workspace_id, application_id, name, kind, roles, digest_minutes, cooldown_minutes, created_at)
      select workspace_id, id, ${name}, ${kind}, ${roles}, ${digest}, ${cooldown}, ${now}
      from applications order by id`.execute(db)
  }
  await add('New crash group', 'newCrashGroup', mails)
  await add('Crash group is back', 'crashRegression', mails)
  await add('Many crashes', 'crashCount', mails)
  await add('Feedback', 'feedback', JSON.stringify(['admin']), { cooldown: 0 })
  await sql`update alert_rules set threshold = 20, window_minutes = 60 where kind = 'crashCount'`.execute(db)
  for (const [id, busiest] of await findBusiestHours(db, now)) {
    await sql`update alert_rules set threshold = ${4 * busiest}
      where application_id = ${id} and kind = 'crashCount' and threshold < ${4 * busiest}`.execute(db)
  }
}

/** Returns how many crashes the busiest hour of the last week had, by application: the usual is no alert. */
async function findBusiestHours(db: Kysely<unknown>, now: number): Promise<Map<number, number>> {
  const week = 7 * 24 * 60 * 60 * 1000
  const { rows } = await sql<{ application_id: number; hours: string }>`
    select application_id, hours from crash_groups
    where last_seen_at > ${now - week} and hours is not null`.execute(db)
  const sums = new Map<number, Map<string, number>>()
  for (const { application_id: id, hours } of rows) {
    const ofApplication = sums.get(id) ?? new Map<string, number>()
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the column holds counts by hour
    for (const [hour, count] of Object.entries(JSON.parse(hours) as Record<string, number>)) {
      ofApplication.set(hour, (ofApplication.get(hour) ?? 0) + count)
    }
    sums.set(id, ofApplication)
  }
  return new Map([...sums].map(([id, hours]) => [id, Math.max(0, ...hours.values())]))
}
