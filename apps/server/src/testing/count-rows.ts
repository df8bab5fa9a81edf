import type { Db } from '../db/open.ts'

/** Runs a function on a database, and returns how many rows each of its statements read or changed. */
export async function countRows(db: Db, run: (db: Db) => Promise<unknown>): Promise<number[]> {
  const rows: number[] = []
  const counted = db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      rows.push(Math.max(result.rows.length, Number(result.numAffectedRows ?? 0n)))
      return result
    },
  })
  await run(counted)
  return rows
}
