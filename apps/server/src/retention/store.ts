import type { Insertable } from 'kysely'
import type { Db } from '../db/open.ts'
import type { Row, Schema } from '../db/schema.ts'

/** Saves the rules of an application, or when they are run next. */
export async function saveRetentionRow(trx: Db, values: Insertable<Schema['retentions']>): Promise<void> {
  const { application_id: _id, workspace_id: _workspace, ...changes } = values
  await trx
    .insertInto('retentions')
    .values(values)
    .onConflict((conflict) => conflict.column('application_id').doUpdateSet(changes))
    .execute()
}

export async function findRetentionRow(db: Db, applicationId: number): Promise<Row<'retentions'> | undefined> {
  return db.selectFrom('retentions').selectAll().where('application_id', '=', applicationId).executeTakeFirst()
}

/** Reads the rule of the workspace for applications without rules of their own. */
export async function readWorkspaceRule(
  db: Db,
  workspaceId: number,
): Promise<Pick<Row<'workspaces'>, 'retention_ms' | 'retention_changed_at'>> {
  return db
    .selectFrom('workspaces')
    .select(['retention_ms', 'retention_changed_at'])
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow()
}

export interface PlannedApplication {
  id: number
  workspace_id: number
}

/** Lists the applications whose own rules, or those of their workspace, are due. */
export async function listDueApplications(db: Db, now: number, announcedBefore: number): Promise<PlannedApplication[]> {
  return db
    .selectFrom('applications')
    .innerJoin('workspaces', 'workspaces.id', 'applications.workspace_id')
    .leftJoin('retentions', 'retentions.application_id', 'applications.id')
    .select(['applications.id', 'applications.workspace_id'])
    .where((where) =>
      where.or([where('retentions.next_run_at', 'is', null), where('retentions.next_run_at', '<=', now)]),
    )
    .where((where) =>
      where.or([
        where.and([where('retentions.rules', 'is not', null), where('retentions.is_enabled', '=', 1)]),
        where.and([
          where('retentions.rules', 'is', null),
          where('workspaces.retention_ms', 'is not', null),
          where.or([
            where('workspaces.retention_changed_at', 'is', null),
            where('workspaces.retention_changed_at', '<=', announcedBefore),
          ]),
        ]),
      ]),
    )
    .orderBy('applications.id')
    .execute()
}

/** Lists the applications of a workspace that follow its rule. */
export async function listFollowers(db: Db, workspaceId: number): Promise<{ id: number; name: string }[]> {
  return db
    .selectFrom('applications')
    .leftJoin('retentions', 'retentions.application_id', 'applications.id')
    .select(['applications.id', 'applications.name'])
    .where('applications.workspace_id', '=', workspaceId)
    .where('retentions.rules', 'is', null)
    .orderBy('applications.id')
    .execute()
}

export async function findApplicationOfRun(
  db: Db,
  id: number,
): Promise<Pick<Row<'applications'>, 'id' | 'workspace_id' | 'name' | 'default_branch'> | undefined> {
  return db
    .selectFrom('applications')
    .select(['id', 'workspace_id', 'name', 'default_branch'])
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Lists the addresses of the administrators of a workspace. */
export async function listAdministrators(db: Db, workspaceId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('members')
    .innerJoin('accounts', 'accounts.id', 'members.account_id')
    .select('accounts.email')
    .where('members.workspace_id', '=', workspaceId)
    .where('members.role', '=', 'admin')
    .orderBy('accounts.id')
    .execute()
  return rows.map(({ email }) => email)
}

/** Remembers when the rules of an application are run next, whether they are its own or those of its workspace. */
export async function scheduleNextRun(
  trx: Db,
  application: PlannedApplication,
  at: number,
  { keepDistributedDays }: { keepDistributedDays: number },
): Promise<void> {
  await trx
    .insertInto('retentions')
    .values({
      application_id: application.id,
      workspace_id: application.workspace_id,
      is_enabled: 0,
      rules: null,
      keep_distributed_days: keepDistributedDays,
      quiet_branch_days: null,
      next_run_at: at,
    })
    .onConflict((conflict) => conflict.column('application_id').doUpdateSet({ next_run_at: at }))
    .execute()
}

/** Puts the next run of an application off until a time, if it would come earlier. */
export async function postponeNextRun(trx: Db, applicationId: number, at: number): Promise<void> {
  await trx
    .updateTable('retentions')
    .set({ next_run_at: at })
    .where('application_id', '=', applicationId)
    .where((where) => where.or([where('next_run_at', 'is', null), where('next_run_at', '<', at)]))
    .execute()
}

/** Selects the workspaces whose digest is due and in which runs ended since a time. */
function selectDigests(db: Db, before: number) {
  return db
    .selectFrom('workspaces')
    .select('id')
    .where((where) => where.or([where('retention_told_at', 'is', null), where('retention_told_at', '<=', before)]))
    .where('id', 'in', (select) =>
      select
        .selectFrom('retention_runs')
        .select('workspace_id')
        .where('finished_at', '>', before)
        .where('trashed_count', '>', 0),
    )
}

export async function listDigests(db: Db, before: number): Promise<number[]> {
  return (await selectDigests(db, before).execute()).map(({ id }) => id)
}

/** Returns the workspaces whose digest is due, and remembers that they are told. */
export async function claimDigests(trx: Db, before: number, now: number): Promise<number[]> {
  const rows = await trx
    .updateTable('workspaces')
    .set({ retention_told_at: now })
    .where('id', 'in', selectDigests(trx, before))
    .where((where) => where.or([where('retention_told_at', 'is', null), where('retention_told_at', '<=', before)]))
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}
