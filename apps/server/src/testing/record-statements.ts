import type { CompiledQuery } from 'kysely'
import type { Db } from '../db/open.ts'

/** Runs a function on a database, and returns the statements that it ran there. */
export async function recordStatements(db: Db, run: (db: Db) => Promise<unknown>): Promise<CompiledQuery[]> {
  const statements: CompiledQuery[] = []
  const recorded = db.withPlugin({
    transformQuery({ node, queryId }) {
      statements.push(db.getExecutor().compileQuery(node, queryId))
      return node
    },
    transformResult: async ({ result }) => result,
  })
  await run(recorded)
  return statements
}
