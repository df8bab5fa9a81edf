import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Db, openDatabase } from '../db/open.ts'
import { copyMigratedFile } from './migrated-database.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

export interface OpenTestDatabase extends TestDatabase {
  db: Db
  /** The folder of the embedded database. */
  dataDir: string
}

/** Opens a migrated database without rows, for tests that need no server. */
export async function openTestDatabase(options: { databaseConnections?: number } = {}): Promise<OpenTestDatabase> {
  await using opened = new AsyncDisposableStack()
  const dataDir = await mkdtemp(join(tmpdir(), 'fairlead-database-'))
  opened.defer(() => rm(dataDir, { recursive: true, force: true }))
  const { url } = opened.use(await createTestDatabase())
  if (url === null) await copyMigratedFile(dataDir)
  const { db } = await openDatabase({ ...options, databaseUrl: url, dataDir })
  opened.defer(() => db.destroy())
  const closers = opened.move()
  return { db, url, dataDir, [Symbol.asyncDispose]: () => closers.disposeAsync() }
}
