import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import type { StagedFile } from '../blobs/blob-store.ts'
import { openProcessFolder } from '../blobs/process-folder.ts'
import { isMissing } from '../blobs/system-error.ts'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/open.ts'
import { enqueueJobs } from '../jobs/enqueue.ts'
import { type Manifest, readArchive, verifyArchive } from './archive.ts'
import { IdMap } from './id-map.ts'
import { encryptRows } from './secret-rows.ts'
import type { Progress } from './progress.ts'
import { parseRowLine } from './row-json.ts'
import type { RawRow, RowSource, Table } from './row-source.ts'

export interface ImportOptions {
  path: string
  progress: Progress
}

export interface ImportReport {
  rowCount: number
  blobCount: number
  /** Whether ids changed, because the database was not empty. */
  hasNewIds: boolean
}

type Target = Pick<AppContext, 'db' | 'blobs' | 'config'>

/**
 * Copies the blobs of an archive to the store, and then all of its rows in one transaction. When it is interrupted, the
 * database is as it was; the next run skips the blobs that are already stored.
 *
 * An empty database takes any archive, and rows keep their ids. A database that has workspaces takes only an archive of
 * a single workspace, and its rows get new ids.
 *
 * @throws {Error} in a sentence for people, when the archive is damaged, of another version, or does not fit
 */
export async function importArchive(target: Target, schema: RowSource, options: ImportOptions): Promise<ImportReport> {
  const { path, progress } = options
  progress.begin('entries verified', null)
  const manifest = await verifyArchive(path, (_name, size) => progress.advance(1, size))
  if (manifest.version !== schema.version) {
    throw new Error(
      `The archive is of version ${manifest.version}, this database of version ${schema.version}. ` +
        'Export and import with the same version of Fairlead.',
    )
  }
  const hasNewIds = await hasWorkspaces(target.db)
  if (hasNewIds && manifest.workspaceId === null) {
    throw new Error('An archive of everything can be imported into an empty database only.')
  }
  const { dataDir, databaseUrl } = target.config
  await using opened = await openProcessFolder(join(dataDir, 'import'), databaseUrl === null)
  const folder = opened.path
  const blobCount = await unpack(target, manifest, { folder, path, progress })
  const rowCount = await insertRows(target, schema, manifest, { folder, hasNewIds, progress })
  return { rowCount, blobCount, hasNewIds }
}

async function hasWorkspaces(db: Db): Promise<boolean> {
  return (await db.selectFrom('workspaces').select('id').limit(1).executeTakeFirst()) !== undefined
}

async function unpack(
  target: Target,
  manifest: Manifest,
  { folder, path, progress }: { folder: string; path: string; progress: Progress },
): Promise<number> {
  const total = manifest.tables.find(({ name }) => name === 'blobs')?.count ?? 0
  let count = 0
  progress.begin('blobs', total)
  for await (const { name, size, content } of readArchive(path)) {
    if (name.startsWith('rows/')) {
      await pipeline(content, createWriteStream(join(folder, name.slice('rows/'.length)), { mode: 0o600 }))
    } else if (name.startsWith('blobs/')) {
      const key = name.slice('blobs/'.length)
      if (!(await hasBlob(target, key))) {
        const staged = await target.blobs.staging.receive(content, { maxBytes: size, idleMs: 600_000 })
        await keep(target, staged, key)
      }
      count++
      progress.advance(1, size)
    }
  }
  return count
}

async function hasBlob({ blobs }: Target, key: string): Promise<boolean> {
  try {
    await using _source = await blobs.openSource(key)
    return true
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}

async function keep({ blobs }: Target, staged: StagedFile, key: string): Promise<void> {
  try {
    await blobs.keep(staged, key)
  } catch (error) {
    await blobs.staging.discard(staged)
    throw error
  }
}

/**
 * One transaction: either the whole archive is there afterwards, or nothing of it. It is not repeated after a conflict
 * as `transact` would do, because it may take minutes; whoever started the import sees the error and starts it again.
 */
async function insertRows(
  { db, config }: Target,
  schema: RowSource,
  manifest: Manifest,
  { folder, hasNewIds, progress }: { folder: string; hasNewIds: boolean; progress: Progress },
): Promise<number> {
  const counts = new Map(manifest.tables.map(({ name, count }) => [name, count]))
  const tables = schema.tables.filter(({ name }) => counts.has(name))
  const missing = manifest.tables.find(({ name }) => !tables.some((table) => table.name === name))
  if (missing) throw new Error(`This database has no table ${missing.name}.`)
  let rowCount = 0
  progress.begin(
    'rows',
    [...counts.values()].reduce((sum, count) => sum + count, 0),
  )
  await db.transaction().execute(async (trx) => {
    // A new installation has created a signing key and other settings at its start, which the archive replaces.
    if (!hasNewIds)
      for (const { name } of schema.tables.toReversed()) await sql`delete from ${sql.table(name)}`.execute(trx)
    const ids = await IdMap.open(trx, tables, hasNewIds)
    for (const table of tables) {
      let found = 0
      const later: SelfReference[] = []
      for await (const rows of readBatches(join(folder, `${table.name}.ndjson`))) {
        later.push(...(await insertBatch(trx, table, await ids.translate(table, encryptRows(config, table, rows)))))
        found += rows.length
        progress.advance(rows.length, 0)
      }
      if (found !== counts.get(table.name)) throw new Error(`The archive has ${found} rows of ${table.name}.`)
      rowCount += found
      await setSelfReferences(trx, table, later)
      await ids.finish(table)
    }
    await ids.countReferences()
    if (hasNewIds) await completeOpenRuns(trx)
  })
  return rowCount
}

/** SQLite takes 32,766 values in a statement, PostgreSQL 65,535. */
const maxValues = 30_000

async function* readBatches(path: string): AsyncGenerator<RawRow[]> {
  let batch: RawRow[] = []
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line === '') continue
    const row = parseRowLine(line)
    batch.push(row)
    if (batch.length * Object.keys(row).length < maxValues / 10) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** A row that refers to another of its own table, which may not be there yet when the row is inserted. */
interface SelfReference {
  id: number
  column: string
  target: number
}

/** Inserts rows, and returns the references among them, which are set when all rows of the table exist. */
async function insertBatch(trx: Db, table: Table, rows: RawRow[]): Promise<SelfReference[]> {
  if (rows.length === 0) return []
  const own = new Set(table.references.filter((reference) => reference.table === table.name).map((one) => one.column))
  const columns = Object.keys(rows[0] ?? {})
  const later = rows.flatMap((row) =>
    [...own].flatMap((column) =>
      row[column] === null ? [] : [{ id: Number(row['id']), column, target: Number(row[column]) }],
    ),
  )
  const values = rows.map(
    (row) => sql`(${sql.join(columns.map((column) => (own.has(column) ? null : (row[column] ?? null))))})`,
  )
  await sql`insert into ${sql.table(table.name)} (${sql.join(columns.map((column) => sql.ref(column)))})
    values ${sql.join(values)}`.execute(trx)
  return later
}

async function setSelfReferences(trx: Db, { name }: Table, references: SelfReference[]): Promise<void> {
  for (const { id, column, target } of references) {
    await sql`update ${sql.table(name)} set ${sql.ref(column)} = ${target} where id = ${id}`.execute(trx)
  }
}

/** The archive of a single workspace has no jobs, so each unfinished test run gets the job that completes it again. */
async function completeOpenRuns(trx: Db): Promise<void> {
  const runs = await trx.selectFrom('test_runs').select('id').where('state', '=', 'open').execute()
  await enqueueJobs(
    trx,
    runs.map(({ id }) => ({ kind: 'complete-test-run', key: `complete-test-run ${id}`, payload: { runId: id } })),
  )
}
