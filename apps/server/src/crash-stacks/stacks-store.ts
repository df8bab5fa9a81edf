import type { SymbolsKind } from '@fairlead/contract'
import { selectInBatches } from '../db/in-batches.ts'
import { type Expression, sql, type SqlBool } from 'kysely'
import type { Insertable } from 'kysely'
import type { Engine } from '../db/engine.ts'
import type { Db } from '../db/open.ts'
import type { Row, Schema } from '../db/schema.ts'
import { enqueueJobs } from '../jobs/enqueue.ts'
import { toVersionRef } from './find-symbols.ts'
import type { SymbolRef } from './symbol-ref.ts'

export type StackHead = Pick<
  Row<'crash_stacks'>,
  | 'id'
  | 'hash'
  | 'group_id'
  | 'first_seen_at'
  | 'last_seen_at'
  | 'first_release_id'
  | 'last_release_id'
  | 'first_crash_id'
>

/**
 * Makes the transactions of an application that change crashes, and those that add symbols, run one after another.
 * SQLite has only one writer, so it needs no lock.
 */
export async function lockApplication(trx: Db, engine: Engine, applicationId: number): Promise<void> {
  if (engine === 'sqlite') return
  await trx.selectFrom('applications').select('id').where('id', '=', applicationId).forNoKeyUpdate().execute()
}

export async function findStackHeads(db: Db, applicationId: number, hashes: string[]): Promise<Map<string, StackHead>> {
  const rows = await selectInBatches(hashes, (batch) =>
    db
      .selectFrom('crash_stacks')
      .select(['id', 'hash', 'group_id', 'first_seen_at', 'last_seen_at', 'first_release_id', 'last_release_id'])
      .select('first_crash_id')
      .where('application_id', '=', applicationId)
      .where('hash', 'in', batch)
      .execute(),
  )
  return new Map(rows.map((row) => [row.hash, row]))
}

export async function countStacksSince(db: Db, applicationId: number, since: number): Promise<number> {
  const { count } = await db
    .selectFrom('crash_stacks')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('application_id', '=', applicationId)
    .where('created_at', '>=', since)
    .executeTakeFirstOrThrow()
  return count
}

export async function insertStack(trx: Db, values: Insertable<Schema['crash_stacks']>): Promise<StackHead> {
  return trx
    .insertInto('crash_stacks')
    .values(values)
    .returning(['id', 'hash', 'group_id', 'first_seen_at', 'last_seen_at', 'first_release_id', 'last_release_id'])
    .returning('first_crash_id')
    .executeTakeFirstOrThrow()
}

/** How many rows one statement writes, safely below the parameter limits of both databases. */
const rowsPerStatement = 100

export async function replaceWaits(
  trx: Db,
  { applicationId, releaseId }: { applicationId: number; releaseId: number | null },
  stackId: number,
  refs: readonly SymbolRef[],
): Promise<void> {
  await trx.deleteFrom('crash_waits').where('stack_id', '=', stackId).execute()
  const rows = [...new Map(refs.map((one) => [one.ref, one])).values()].map((one) => ({
    stack_id: stackId,
    application_id: applicationId,
    kind: one.kind,
    ref: one.ref,
    name: one.name,
    code_id: one.codeId,
    release_id: releaseId,
    is_needed: one.isNeeded ? 1 : 0,
    is_found: one.isFound ? 1 : 0,
  }))
  for (let start = 0; start < rows.length; start += rowsPerStatement) {
    await trx
      .insertInto('crash_waits')
      .values(rows.slice(start, start + rowsPerStatement))
      .execute()
  }
}

export interface AddedSymbols {
  kind: SymbolsKind
  /** Image UUIDs, or the ids of a mapping. */
  ids: string[]
  package: string | null
  shortVersion: string | null
  version: string | null
}

/**
 * Marks the stacks that new symbols concern. Call it in the transaction that adds the symbols, after `lockApplication`;
 * the job that reads the stacks again is enqueued there too.
 */
export async function markStacksOf(trx: Db, applicationId: number, added: AddedSymbols): Promise<void> {
  const ids = added.ids.map((id) => id.toLowerCase()).filter((id) => id !== '')
  const refs = added.kind === 'proguard' ? [...ids.map((id) => `id:${id}`), ...listVersionRefs(added)] : ids
  const linked = await trx
    .selectFrom('applications')
    .select('id')
    .where('linked_application_id', '=', applicationId)
    .execute()
  const owners = [applicationId, ...linked.map(({ id }) => id)]
  const marked = await trx
    .updateTable('crash_stacks')
    .set((update) => ({ is_stale: update('is_stale', '+', 1) }))
    .where('id', 'in', (select) =>
      select
        .selectFrom('crash_waits')
        .select('stack_id')
        .where('application_id', 'in', owners)
        .where((where) => {
          const cases: Expression<SqlBool>[] = refs.length === 0 ? [] : [where('ref', 'in', refs)]
          if (added.kind === 'sourcemap') cases.push(...listReleaseCases(added))
          // An id of R8 in a report may be shorter than the one in the mapping, or longer.
          if (added.kind === 'proguard') {
            for (const id of ids) {
              cases.push(
                sql<SqlBool>`ref like ${`id:${id}%`}`,
                sql<SqlBool>`(ref like 'id:%' and ${`id:${id}`} like ref || '%')`,
              )
            }
          }
          return cases.length === 0 ? sql<SqlBool>`1 = 0` : where.or(cases)
        }),
    )
    .executeTakeFirst()
  if (marked.numUpdatedRows > 0n) await enqueueReread(trx)
}

/**
 * The stacks of a release that wait for source maps, whichever of its bundles they are of. The patterns may fit more,
 * which costs nothing but reading those stacks again.
 */
function listReleaseCases({ shortVersion, version }: AddedSymbols): Expression<SqlBool>[] {
  if (shortVersion === null && version === null) return []
  const pattern = `v:%\n${shortVersion ?? '%'}\n${version ?? '%'}\n%`
  return [sql<SqlBool>`(kind = 'sourcemap' and ref like ${pattern})`]
}

/** A report may leave out the package or the version's name. */
function listVersionRefs({ package: name, shortVersion, version }: AddedSymbols): string[] {
  return [name, null].flatMap((one) =>
    [shortVersion, null].flatMap((other) => toVersionRef({ package: one, shortVersion: other, version }) ?? []),
  )
}

/** Marks all stacks of an application, because its rules changed. */
export async function markAllStacks(trx: Db, applicationId: number): Promise<void> {
  await trx
    .updateTable('crash_stacks')
    .set((update) => ({ is_stale: update('is_stale', '+', 1) }))
    .where('application_id', '=', applicationId)
    .execute()
  await enqueueReread(trx)
}

export async function markStack(trx: Db, id: number): Promise<void> {
  await trx.updateTable('crash_stacks').set({ is_stale: 1 }).where('id', '=', id).execute()
}

export async function enqueueReread(trx: Db): Promise<void> {
  await enqueueJobs(trx, [{ kind: 'reread-crashes', key: 'reread-crashes', payload: {} }])
}

export async function listStaleApplications(db: Db): Promise<number[]> {
  const rows = await db
    .selectFrom('crash_stacks')
    .select('application_id')
    .distinct()
    .where('is_stale', '>', 0)
    .execute()
  return rows.map((row) => row.application_id)
}

export async function listStaleStacks(db: Db, applicationId: number, limit: number): Promise<Row<'crash_stacks'>[]> {
  return db
    .selectFrom('crash_stacks')
    .selectAll()
    .where('application_id', '=', applicationId)
    .where('is_stale', '>', 0)
    .orderBy('id')
    .limit(limit)
    .execute()
}

export async function countStaleStacks(db: Db, applicationId: number): Promise<number> {
  const { count } = await db
    .selectFrom('crash_stacks')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('application_id', '=', applicationId)
    .where('is_stale', '>', 0)
    .executeTakeFirstOrThrow()
  return count
}

export async function countWaitingStacks(db: Db, applicationId: number): Promise<number> {
  const { count } = await db
    .selectFrom('crash_waits')
    .select((select) => select.fn.count<number>('stack_id').distinct().as('count'))
    .where('application_id', '=', applicationId)
    .where('is_found', '=', 0)
    .where('is_needed', '=', 1)
    .executeTakeFirstOrThrow()
  return count
}

/** Stores the resolved stack. Changes nothing and returns false when it was marked again meanwhile. */
export async function updateResolved(
  trx: Db,
  seen: Pick<Row<'crash_stacks'>, 'id' | 'is_stale'>,
  values: { resolved: Uint8Array; key_hash: string; group_id: number },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('crash_stacks')
    .set({ ...values, is_stale: 0 })
    .where('id', '=', seen.id)
    .where('is_stale', '=', seen.is_stale)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
