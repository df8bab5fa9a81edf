/** Shows the rows of a report, which are hidden while they are inserted. */
import { requireKey } from '@fairlead/invariant'
import type { Db } from '../db/open.ts'
import type { CaseOwner } from './grouped-case.ts'

/** How many rows one statement shows: on SQLite, a statement holds up every request while it runs. */
const shownRows = 1000

/** Makes the inserted rows of a report visible. `testIds` has the test of each row. */
export async function showCases(trx: Db, { runId, reportId }: CaseOwner, testIds: readonly number[]): Promise<void> {
  const update = trx
    .updateTable('test_results')
    .set((row) => ({ case_number: row.ref('number') }))
    .where('run_id', '=', runId)
    .where('report_id', '=', reportId)
  const counts = Map.groupBy(testIds, (id) => id)
  const ids = [...counts.keys()].toSorted((a, b) => a - b)
  let from = ids[0] ?? 0
  let rows = 0
  for (const [index, id] of ids.entries()) {
    rows += requireKey(counts, id).length
    const next = ids[index + 1]
    if (rows + (next === undefined ? Infinity : requireKey(counts, next).length) <= shownRows) continue
    // A test that a report holds very often is shown by the numbers of its rows.
    for (let start = 0; start < rows; start += shownRows) {
      const some = update.where('test_id', '>=', from).where('test_id', '<=', id)
      const isWhole = rows <= shownRows
      await (isWhole ? some : some.where('number', '>', start).where('number', '<=', start + shownRows)).execute()
    }
    from = next ?? 0
    rows = 0
  }
}
