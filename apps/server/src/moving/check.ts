import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { isMissing } from '../blobs/system-error.ts'
import type { AppContext } from '../context.ts'
import { selectInBatches } from '../db/in-batches.ts'
import { deleteUploadWithParts } from '../uploads/expire.ts'
import type { Progress } from './progress.ts'
import type { RowSource } from './row-source.ts'
import { readPieces } from '../blobs/byte-pieces.ts'

export interface CheckOptions {
  /** Removes orphans and corrects counts. Bytes that are lost cannot be repaired. */
  repair: boolean
  /** Reads every blob and compares its digest. */
  bytes: boolean
  /** Blobs without a row that are younger, in epoch milliseconds, may belong to an upload under way. */
  before: number
  progress: Progress
}

export interface CheckReport {
  blobCount: number
  /** Keys of blobs that rows name and the store does not have. */
  missing: string[]
  /** Keys of blobs whose bytes do not match their digest. */
  damaged: string[]
  /** Keys of blobs that no row names. */
  orphans: string[]
  /** Blobs whose stored number of references differs from the rows that refer to them. */
  wrongCounts: { key: string; stored: number; actual: number }[]
  /** Ids of resumable uploads that have lost bytes, so that no build can come of them. */
  lostUploads: string[]
}

/** Compares all rows with all blobs and reports the differences. */
export async function checkStorage(
  { db, blobs, log }: Pick<AppContext, 'db' | 'blobs' | 'log'>,
  schema: RowSource,
  options: CheckOptions,
): Promise<CheckReport> {
  const rows = await db.selectFrom('blobs').select(['id', 'key', 'sha256', 'reference_count']).orderBy('id').execute()
  const byKey = new Map(rows.map((row) => [row.key, row]))
  const report: CheckReport = {
    blobCount: rows.length,
    missing: [],
    damaged: [],
    orphans: [],
    wrongCounts: [],
    lostUploads: [],
  }
  const found = new Set<string>()
  const parts = await db.selectFrom('upload_parts').select('blob_key').distinct().execute()
  const partKeys = new Set(parts.map((part) => part.blob_key))
  for await (const { key, modifiedAt } of blobs.list()) {
    if (byKey.has(key) || partKeys.has(key)) found.add(key)
    else if (modifiedAt < options.before) report.orphans.push(key)
  }
  report.missing = rows.map(({ key }) => key).filter((key) => !found.has(key))
  const lostKeys = [...partKeys].filter((key) => !found.has(key))
  // An upload that became a build meanwhile has no parts any more.
  const lost = await selectInBatches(lostKeys, (keys) =>
    db.selectFrom('upload_parts').select('upload_id').where('blob_key', 'in', keys).execute(),
  )
  report.lostUploads = [...new Set(lost.map((part) => part.upload_id))]
  if (options.bytes) {
    const keys = [...found].filter((key) => byKey.has(key))
    report.damaged = await findDamaged({ blobs }, keys, byKey, options.progress)
  }
  const actual = await countReferences({ db }, schema)
  for (const { id, key, reference_count: stored } of rows) {
    const count = actual.get(id) ?? 0
    if (count !== stored) report.wrongCounts.push({ key, stored, actual: count })
  }
  if (options.repair) await repair({ db, blobs, log }, report)
  return report
}

async function findDamaged(
  { blobs }: Pick<AppContext, 'blobs'>,
  keys: string[],
  rows: ReadonlyMap<string, { sha256: string }>,
  progress: Progress,
): Promise<string[]> {
  const damaged: string[] = []
  progress.begin('blobs read', keys.length)
  for (const key of keys) {
    const hash = createHash('sha256')
    let size = 0
    try {
      for await (const chunk of readPieces(await blobs.read(key))) {
        hash.update(chunk)
        size += chunk.length
      }
    } catch (error) {
      // The blob was deleted after the list was read.
      if (isMissing(error)) continue
      throw error
    }
    if (hash.digest('hex') !== rows.get(key)?.sha256) damaged.push(key)
    progress.advance(1, size)
  }
  return damaged
}

/** Every column that refers to blobs counts, whichever table it is in. */
async function countReferences({ db }: Pick<AppContext, 'db'>, schema: RowSource): Promise<Map<number, number>> {
  const counts = new Map<number, number>()
  const columns = schema.tables.flatMap(({ name, references }) =>
    references.filter(({ table }) => table === 'blobs').map(({ column }) => ({ name, column })),
  )
  for (const { name, column } of columns) {
    const { rows } = await sql<{ id: number; count: number }>`
      select ${sql.ref(column)} as id, count(*) as count from ${sql.table(name)}
      where ${sql.ref(column)} is not null group by ${sql.ref(column)}`.execute(db)
    for (const { id, count } of rows) counts.set(id, (counts.get(id) ?? 0) + count)
  }
  return counts
}

async function repair(context: Pick<AppContext, 'db' | 'blobs' | 'log'>, report: CheckReport): Promise<void> {
  const { db, blobs } = context
  for (const id of report.lostUploads) await deleteUploadWithParts(context, id)
  for (const key of report.orphans) await blobs.remove(key)
  for (const { key, actual } of report.wrongCounts) {
    if (actual > 0) {
      await db.updateTable('blobs').set({ reference_count: actual }).where('key', '=', key).execute()
    } else {
      await db.deleteFrom('blobs').where('key', '=', key).execute()
      await blobs.remove(key)
    }
  }
}
