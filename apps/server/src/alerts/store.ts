import type { AlertKind } from '@fairlead/contract'
import type { Insertable, Updateable } from 'kysely'
import type { Db } from '../db/open.ts'
import { countAll } from '../db/paging.ts'
import type { Row, Schema } from '../db/schema.ts'

export type RuleRow = Row<'alert_rules'>

export async function listRuleRows(db: Db, applicationId: number): Promise<RuleRow[]> {
  return db
    .selectFrom('alert_rules')
    .selectAll()
    .where('application_id', '=', applicationId)
    .orderBy('id', 'desc')
    .execute()
}

export async function findRuleRow(db: Db, workspaceId: number, id: number): Promise<RuleRow | undefined> {
  return db
    .selectFrom('alert_rules')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Lists the rules of some kinds that are on. */
export async function listActiveRules(db: Db, applicationId: number, kinds: AlertKind[]): Promise<RuleRow[]> {
  return db
    .selectFrom('alert_rules')
    .selectAll()
    .where('application_id', '=', applicationId)
    .where('kind', 'in', kinds)
    .where('is_enabled', '=', 1)
    .orderBy('id')
    .execute()
}

export async function countRules(db: Db, applicationId: number): Promise<number> {
  const { count } = await db
    .selectFrom('alert_rules')
    .select(countAll)
    .where('application_id', '=', applicationId)
    .executeTakeFirstOrThrow()
  return count
}

export async function insertRule(trx: Db, values: Insertable<Schema['alert_rules']>): Promise<RuleRow> {
  return trx.insertInto('alert_rules').values(values).returningAll().executeTakeFirstOrThrow()
}

export async function updateRuleRow(
  trx: Db,
  id: number,
  values: Updateable<Schema['alert_rules']>,
): Promise<RuleRow | undefined> {
  return trx
    .updateTable('alert_rules')
    .set({ id, ...values })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

/** Changes the state of a rule, unless another process has done so since it was read. */
export async function changeState(
  trx: Db,
  rule: Pick<RuleRow, 'id' | 'is_firing' | 'is_armed' | 'last_fired_at'>,
  values: Pick<Updateable<Schema['alert_rules']>, 'is_firing' | 'is_armed' | 'last_fired_at'>,
): Promise<boolean> {
  const updated = await trx
    .updateTable('alert_rules')
    .set(values)
    .where('id', '=', rule.id)
    .where('is_enabled', '=', 1)
    .where('is_firing', '=', rule.is_firing)
    .where('is_armed', '=', rule.is_armed)
    .where('last_fired_at', rule.last_fired_at === null ? 'is' : '=', rule.last_fired_at)
    .returning('id')
    .executeTakeFirst()
  return updated !== undefined
}

export async function deleteRule(db: Db, workspaceId: number, id: number): Promise<boolean> {
  const deleted = await db
    .deleteFrom('alert_rules')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return deleted !== undefined
}

interface Receivers {
  hookIds: number[]
  accountIds: number[]
}

/** Lists the hooks and the members that rules name. */
export async function listReceivers(db: Db, ruleIds: number[]): Promise<Map<number, Receivers>> {
  const receivers = new Map(ruleIds.map((id): [number, Receivers] => [id, { hookIds: [], accountIds: [] }]))
  if (ruleIds.length === 0) return receivers
  const hooks = db.selectFrom('alert_rule_hooks').selectAll().where('rule_id', 'in', ruleIds)
  for (const { rule_id, hook_id } of await hooks.orderBy('hook_id').execute()) {
    receivers.get(rule_id)?.hookIds.push(hook_id)
  }
  const accounts = db.selectFrom('alert_rule_accounts').selectAll().where('rule_id', 'in', ruleIds)
  for (const { rule_id, account_id } of await accounts.orderBy('account_id').execute()) {
    receivers.get(rule_id)?.accountIds.push(account_id)
  }
  return receivers
}

export async function replaceHooks(trx: Db, ruleId: number, hookIds: number[]): Promise<void> {
  await trx.deleteFrom('alert_rule_hooks').where('rule_id', '=', ruleId).execute()
  if (hookIds.length === 0) return
  await trx
    .insertInto('alert_rule_hooks')
    .values(hookIds.map((id) => ({ rule_id: ruleId, hook_id: id })))
    .execute()
}

export async function replaceAccounts(trx: Db, { id, workspace_id }: RuleRow, accountIds: number[]): Promise<void> {
  await trx.deleteFrom('alert_rule_accounts').where('rule_id', '=', id).execute()
  if (accountIds.length === 0) return
  await trx
    .insertInto('alert_rule_accounts')
    .values(accountIds.map((accountId) => ({ rule_id: id, workspace_id, account_id: accountId })))
    .execute()
}

export async function listHookIds(db: Db, workspaceId: number, ids: number[]): Promise<number[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('hooks')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', ids)
    .execute()
  return rows.map(({ id }) => id)
}

export async function listMemberRoles(
  db: Db,
  workspaceId: number,
): Promise<Pick<Row<'members'>, 'account_id' | 'role'>[]> {
  return db
    .selectFrom('members')
    .select(['account_id', 'role'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('account_id')
    .execute()
}
