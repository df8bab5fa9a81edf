/** Stores the alerts that rules have raised, and the mails about them that wait to be sent. */
import type { ListAlerts } from '@fairlead/contract'
import type { Insertable } from 'kysely'
import type { Db } from '../db/open.ts'
import { countAll, cutRows, maxUnpaged, type Paged } from '../db/paging.ts'
import type { Row, Schema } from '../db/schema.ts'
import { whereGiven } from '../db/where-given.ts'

export async function listAlertRows(
  db: Db,
  applicationId: number,
  { alertRuleId, limit, cursor }: ListAlerts,
): Promise<Paged<Row<'alerts'>>> {
  const select = () =>
    db
      .selectFrom('alerts')
      .where('application_id', '=', applicationId)
      .$call(whereGiven(alertRuleId, (query, id) => query.where('rule_id', '=', id)))
  const rows = await select()
    .selectAll()
    .$call(whereGiven(cursor, (query, id) => query.where('id', '<', id)))
    .orderBy('id', 'desc')
    .limit((limit ?? maxUnpaged) + 1)
    .execute()
  return cutRows({ rows, limit, toCursor: ({ id }) => String(id), count: select().select(countAll) })
}

export async function insertAlert(trx: Db, values: Insertable<Schema['alerts']>): Promise<number> {
  const { id } = await trx.insertInto('alerts').values(values).returning('id').executeTakeFirstOrThrow()
  return id
}

/** Says whether a rule told of a subject after a time. */
export async function hasFiredSince(db: Db, ruleId: number, subjectId: number, since: number): Promise<boolean> {
  const found = await db
    .selectFrom('alerts')
    .select('id')
    .where('rule_id', '=', ruleId)
    .where('subject_id', '=', subjectId)
    .where('fired_at', '>', since)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

export async function insertNotices(trx: Db, rows: Insertable<Schema['alert_notices']>[]): Promise<void> {
  if (rows.length > 0) await trx.insertInto('alert_notices').values(rows).execute()
}

/** An alert that waits for the mail of a member. */
export interface NoticeRecord extends Pick<Row<'alerts'>, 'rule_name' | 'kind' | 'title' | 'detail' | 'subject_id'> {
  notice_id: number
  account_id: number
  email: string
}

/** The most alerts that one turn mails of. */
const noticeLimit = 2000

/**
 * Takes the notices of an application out of the table: those that are due, and those of the same members that no quiet
 * hours hold, so that they come as one mail.
 */
export async function takeNotices(trx: Db, applicationId: number, now: number): Promise<NoticeRecord[]> {
  const due = trx
    .selectFrom('alert_notices')
    .select('account_id')
    .where('application_id', '=', applicationId)
    .where('due_at', '<=', now)
  const rows = await trx
    .selectFrom('alert_notices')
    .innerJoin('alerts', 'alerts.id', 'alert_notices.alert_id')
    .innerJoin('accounts', 'accounts.id', 'alert_notices.account_id')
    .select(['alert_notices.id as notice_id', 'alert_notices.account_id', 'accounts.email'])
    .select(['alerts.rule_name', 'alerts.kind', 'alerts.title', 'alerts.detail', 'alerts.subject_id'])
    .where('alert_notices.application_id', '=', applicationId)
    .where('alert_notices.account_id', 'in', due)
    .where((where) => where.or([where('alert_notices.due_at', '<=', now), where('alert_notices.is_held', '=', 0)]))
    .orderBy('alert_notices.id')
    .limit(noticeLimit)
    .execute()
  const taken = new Set<number>()
  for (let start = 0; start < rows.length; start += 500) {
    const ids = rows.slice(start, start + 500).map(({ notice_id: id }) => id)
    // Only what this transaction deletes is its own: another process may be sending as well.
    const deleted = await trx.deleteFrom('alert_notices').where('id', 'in', ids).returning('id').execute()
    for (const { id } of deleted) taken.add(id)
  }
  return rows.filter(({ notice_id: id }) => taken.has(id))
}

/** Lists the applications with notices that were due before a time. */
export async function listApplicationsToMail(db: Db, dueBefore: number): Promise<number[]> {
  const rows = await db
    .selectFrom('alert_notices')
    .select('application_id')
    .distinct()
    .where('due_at', '<', dueBefore)
    .execute()
  return rows.map(({ application_id: id }) => id)
}

/** Returns when the next notice of an application is due. */
export async function findNextNotice(db: Db, applicationId: number): Promise<number | undefined> {
  const next = await db
    .selectFrom('alert_notices')
    .select('due_at')
    .where('application_id', '=', applicationId)
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst()
  return next?.due_at
}

export async function findApplicationOfAlerts(db: Db, id: number) {
  return db
    .selectFrom('applications')
    .select(['id', 'workspace_id', 'name', 'default_branch'])
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Deletes what was told of, and what was counted, before a time. */
export async function deleteOldAlerts(
  db: Db,
  { firedBefore, countedBefore }: { firedBefore: number; countedBefore: number },
): Promise<void> {
  await db.deleteFrom('alerts').where('fired_at', '<', firedBefore).execute()
  await db
    .deleteFrom('alert_minutes')
    .where('minute', '<', Math.floor(countedBefore / 60_000))
    .execute()
}
