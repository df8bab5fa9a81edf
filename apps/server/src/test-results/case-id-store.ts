/** Finds or creates what the rows of cases refer to: environments, tests and groups of failures. */
import { invariant, requireAt, requireKey } from '@fairlead/invariant'
import type { ReportCase } from '@fairlead/reports'
import { sql } from 'kysely'
import { isPostgres } from '../db/engine.ts'
import { insertRows } from '../db/insert-rows.ts'
import { toJsonText } from '../db/json-text.ts'
import type { Db } from '../db/open.ts'
import type { CaseOwner, GroupedCase } from './grouped-case.ts'
import type { FailureGroupKey } from './group-key.ts'

/** The ids that a batch of cases refers to. */
export interface CaseIds {
  /** The test of each case, in their order. */
  tests: number[]
  environments: ReadonlyMap<string, number>
  /** The groups by their keys. */
  groups: ReadonlyMap<string, number>
}

/** Finds or creates what a batch of cases refers to. `environments` keeps those of the batches before. */
export async function takeCaseIds(
  trx: Db,
  owner: CaseOwner,
  environments: Map<string, number>,
  batch: GroupedCase[],
): Promise<CaseIds> {
  await addEnvironments(trx, owner, environments, batch)
  const tests = await takeTests(trx, owner, batch)
  return { tests, environments, groups: await takeGroups(trx, owner, batch) }
}

async function addEnvironments(
  trx: Db,
  { applicationId }: CaseOwner,
  environments: Map<string, number>,
  batch: GroupedCase[],
): Promise<void> {
  const missing = new Set(batch.flatMap(({ testCase: { environment } }) => (environment === null ? [] : [environment])))
  for (const name of missing) {
    if (environments.has(name)) continue
    const { id } = await trx
      .insertInto('environments')
      .values({ application_id: applicationId, name })
      .onConflict((conflict) =>
        conflict.columns(['application_id', 'name']).doUpdateSet({ name: (update) => update.ref('excluded.name') }),
      )
      .returning('id')
      .executeTakeFirstOrThrow()
    environments.set(name, id)
  }
}

/** Finds the tests of a batch by identity and creates those that are new. */
async function takeTests(trx: Db, { workspaceId, applicationId }: CaseOwner, batch: GroupedCase[]): Promise<number[]> {
  const listed = batch.map(({ testCase }) => testCase.identity)
  const ids = await findIds(trx, 'tests', applicationId, listed)
  const missing = new Map<string, ReportCase>()
  for (const [index, { testCase }] of batch.entries()) if (ids[index] === null) missing.set(testCase.identity, testCase)
  const createdIds = await createTests(trx, workspaceId, applicationId, [...missing.values()])
  return batch.map(({ testCase }, index) => ids[index] ?? requireKey(createdIds, testCase.identity))
}

/** Creates tests. Returns the ids by their identities, also of those that another transaction has created meanwhile. */
async function createTests(
  trx: Db,
  workspaceId: number,
  applicationId: number,
  cases: ReportCase[],
): Promise<Map<string, number>> {
  if (cases.length === 0) return new Map()
  // A common order keeps concurrent transactions from waiting for each other in a circle.
  const created = cases.toSorted((a, b) => (a.identity < b.identity ? -1 : 1))
  const rows = created.map((testCase) => ({
    workspace_id: workspaceId,
    application_id: applicationId,
    identity: testCase.identity,
    suite: testCase.suite,
    class: testCase.class,
    name: testCase.name,
    parameters: testCase.parameters,
    file: testCase.file,
    created_at: Date.now(),
  }))
  await insertRows(trx, 'tests', rows, { conflict: 'on conflict (application_id, identity) do nothing' })
  const identities = created.map(({ identity }) => identity)
  const ids = await findIds(trx, 'tests', applicationId, identities)
  return new Map(
    ids.map((id, index) => {
      invariant(id !== null, 'a test exists after it was created')
      return [requireAt(identities, index), id]
    }),
  )
}

/** The column that identifies a row of an application. */
const keyColumns = { tests: 'identity', failure_groups: 'key' } as const

/**
 * Finds the ids of rows by their keys, in the same order; null where there is none. Lists go to the database and back
 * as JSON, because a value or a row object for each takes longer than finding it.
 */
async function findIds(
  trx: Db,
  table: keyof typeof keyColumns,
  applicationId: number,
  keys: string[],
): Promise<(number | null)[]> {
  if (keys.length === 0) return []
  const keyList = JSON.stringify(keys)
  // A subquery for each key: without statistics, PostgreSQL joins by reading all rows of the application.
  const found = sql`
    select id from ${sql.table(table)} where application_id = ${applicationId}
      and ${sql.ref(keyColumns[table])} = listed.value
  `
  const query = isPostgres(trx)
    ? sql<{ ids: string }>`
        select json_agg((${found}) order by listed.place)::text as ids
        from json_array_elements_text(${keyList}::json) with ordinality as listed (value, place)
      `
    : sql<{ ids: string }>`
        select json_group_array((${found}) order by listed.key) as ids from json_each(${keyList}) as listed
      `
  const { ids } = requireAt((await query.execute(trx)).rows, 0)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the statement above returns such a list
  const list = JSON.parse(ids) as (number | null)[]
  invariant(list.length === keys.length, 'there is an id or null for each key')
  return list
}

async function takeGroups(trx: Db, owner: CaseOwner, batch: GroupedCase[]): Promise<Map<string, number>> {
  const groups = new Map<string, FailureGroupKey>()
  for (const { group } of batch) if (group !== null) groups.set(group.key, group)
  const sorted = [...groups.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1))
  return takeGroupIds(trx, owner.applicationId, sorted)
}

/** Finds the group of a key, or creates it. */
export async function takeGroup(trx: Db, applicationId: number, group: FailureGroupKey): Promise<number> {
  const ids = await takeGroupIds(trx, applicationId, [group])
  return requireKey(ids, group.key)
}

/** Returns the ids of groups by their keys. Groups that do not exist are created, and no other row is written. */
async function takeGroupIds(trx: Db, applicationId: number, groups: FailureGroupKey[]): Promise<Map<string, number>> {
  const keys = groups.map(({ key }) => key)
  const existing = await findIds(trx, 'failure_groups', applicationId, keys)
  const missing = groups.filter((_, index) => existing[index] === null)
  const ids = new Map((await insertGroups(trx, applicationId, missing)).map(({ key, id }) => [key, id]))
  for (const [index, id] of existing.entries()) if (id !== null) ids.set(requireAt(keys, index), id)
  return ids
}

/** Creates groups and returns them, also those that another transaction has created in the meantime. */
async function insertGroups(trx: Db, applicationId: number, groups: FailureGroupKey[]) {
  const rows = groups.map(({ key, title, type, frames }) => ({
    application_id: applicationId,
    key,
    title,
    type,
    frames: toJsonText(frames),
    created_at: Date.now(),
  }))
  const conflict = 'on conflict (application_id, key) do update set key = excluded.key'
  return insertRows(trx, 'failure_groups', rows, { conflict, returning: ['id', 'key'] })
}
