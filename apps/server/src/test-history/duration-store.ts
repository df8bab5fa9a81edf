import { sql } from 'kysely'
import { selectInBatches } from '../db/in-batches.ts'
import type { Db } from '../db/open.ts'

const day = 24 * 60 * 60 * 1000
const monthDays = 30

/** The runs of a test in 30 days, and how long they took together. */
export interface MonthOfTest {
  test_id: number
  /** 1 for the last 30 days, 0 for the 30 days before those. */
  is_last: number
  runs: number | string
  duration_ms: number
}

/** Sums the durations of some tests over the last 30 days and the 30 days before, by the ids of the tests. */
export async function sumDurations(db: Db, testIds: number[]): Promise<Map<number, MonthOfTest[]>> {
  const toDay = (days: number) => new Date(Date.now() - days * day).toISOString().slice(0, 10)
  const isLast = sql<number>`case when day > ${toDay(monthDays)} then 1 else 0 end`
  const rows = await selectInBatches(testIds, (some) =>
    db
      .selectFrom('test_days')
      .select((select) => [
        'test_id',
        isLast.as('is_last'),
        select.fn.sum<number | string>('runs').as('runs'),
        select.fn.sum<number>('duration_ms').as('duration_ms'),
      ])
      .where('test_id', 'in', some)
      .where('day', '>', toDay(2 * monthDays))
      .groupBy(['test_id', sql`2`])
      .execute(),
  )
  return Map.groupBy(rows, ({ test_id }) => test_id)
}
