/** Reads what lists of groups show beside their rows, with a few queries for a whole page. */
import { sql } from 'kysely'
import { selectInBatches } from '../db/in-batches.ts'
import type { Db } from '../db/open.ts'
import { toDay } from '../crash-releases/clock.ts'
import type { GroupFacts, GroupRecord } from './crash-group.ts'
import { countInstalls, createSketch, mergeSketches, readSketch } from '../crash-releases/install-sketch.ts'
import { toMissingNames } from '../crash-stacks/missing-names.ts'

/** How many days a trend has. */
export const trendDays = 30

export async function listGroupFacts(
  db: Db,
  groups: readonly GroupRecord[],
  environment: string | undefined,
): Promise<Map<number, GroupFacts>> {
  const ids = groups.map(({ id }) => id)
  const today = toDay(Date.now())
  const days = Map.groupBy(await listDays(db, ids, today, environment), ({ group_id: id }) => id)
  const environments = Map.groupBy(await listEnvironments(db, ids), ({ group_id: id }) => id)
  const comments = new Map((await countComments(db, ids)).map((row) => [row.group_id, row.count]))
  const missing = Map.groupBy(await listMissing(db, ids), ({ group_id: id }) => id)
  const sketches = environment === undefined ? new Map() : await listSketches(db, ids, environment)
  return new Map(
    ids.map((id) => {
      const ofEnvironments = environments.get(id) ?? []
      const trend = Array<number>(trendDays).fill(0)
      for (const { day, count } of days.get(id) ?? []) trend[day - today + trendDays - 1] = count
      return [
        id,
        {
          environments: ofEnvironments.map((row) => row.environment).toSorted(),
          commentCount: comments.get(id) ?? 0,
          trend,
          missingSymbols: [...new Set((missing.get(id) ?? []).flatMap(toMissingNames))],
          counts: environment === undefined ? undefined : toCounts(ofEnvironments, environment, sketches.get(id) ?? []),
        },
      ]
    }),
  )
}

function toCounts(
  rows: readonly { environment: string; count: number }[],
  environment: string,
  sketches: readonly Uint8Array[],
): GroupFacts['counts'] {
  let sketch = createSketch()
  for (const bytes of sketches) sketch = mergeSketches(sketch, readSketch(bytes))
  const { count: installCount, isApproximate } = countInstalls(sketch)
  const crashCount = rows.find((row) => row.environment === environment)?.count ?? 0
  return { crashCount, installCount, isApproximate }
}

const sumOfCounts = sql<number>`cast(sum(crash_days.count) as bigint)`.as('count')

function listDays(db: Db, ids: number[], today: number, environment: string | undefined) {
  return selectInBatches(ids, (batch) => {
    const query = db
      .selectFrom('crash_stacks')
      .innerJoin('crash_days', 'crash_days.stack_id', 'crash_stacks.id')
      .select(['crash_stacks.group_id', 'crash_days.day', sumOfCounts])
      .where('crash_stacks.group_id', 'in', batch)
      .where('crash_days.day', '>', today - trendDays)
      .where('crash_days.day', '<=', today)
      .groupBy(['crash_stacks.group_id', 'crash_days.day'])
    if (environment === undefined) return query.execute()
    return query
      .innerJoin('releases', 'releases.id', 'crash_days.release_id')
      .where('releases.environment', '=', environment)
      .execute()
  })
}

function listEnvironments(db: Db, ids: number[]) {
  return selectInBatches(ids, (batch) =>
    db
      .selectFrom('crash_stacks')
      .innerJoin('crash_days', 'crash_days.stack_id', 'crash_stacks.id')
      .innerJoin('releases', 'releases.id', 'crash_days.release_id')
      .select(['crash_stacks.group_id', 'releases.environment', sumOfCounts])
      .where('crash_stacks.group_id', 'in', batch)
      .groupBy(['crash_stacks.group_id', 'releases.environment'])
      .execute(),
  )
}

async function listSketches(db: Db, ids: number[], environment: string): Promise<Map<number, Uint8Array[]>> {
  const rows = await selectInBatches(ids, (batch) =>
    db
      .selectFrom('crash_stacks')
      .innerJoin('crash_sketches', 'crash_sketches.stack_id', 'crash_stacks.id')
      .innerJoin('releases', 'releases.id', 'crash_sketches.release_id')
      .select(['crash_stacks.group_id', 'crash_sketches.sketch'])
      .where('crash_stacks.group_id', 'in', batch)
      .where('releases.environment', '=', environment)
      .execute(),
  )
  const byGroup = Map.groupBy(rows, ({ group_id: id }) => id)
  return new Map([...byGroup].map(([id, ofGroup]) => [id, ofGroup.map(({ sketch }) => sketch)]))
}

function countComments(db: Db, ids: number[]) {
  return selectInBatches(ids, (batch) =>
    db
      .selectFrom('crash_comments')
      .select((select) => ['group_id', select.fn.countAll<number>().as('count')])
      .where('group_id', 'in', batch)
      .groupBy('group_id')
      .execute(),
  )
}

/** Says whether a group has frames whose symbols are missing. */
export async function lacksSymbols(db: Db, groupId: number): Promise<boolean> {
  return (await listMissing(db, [groupId])).length > 0
}

function listMissing(db: Db, ids: number[]) {
  return selectInBatches(ids, (batch) =>
    db
      .selectFrom('crash_stacks')
      .innerJoin('crash_waits', 'crash_waits.stack_id', 'crash_stacks.id')
      .select(['crash_stacks.group_id', 'crash_waits.kind', 'crash_waits.ref'])
      .distinct()
      .where('crash_stacks.group_id', 'in', batch)
      .where('is_found', '=', 0)
      .where('is_needed', '=', 1)
      .orderBy('crash_waits.ref')
      .execute(),
  )
}
