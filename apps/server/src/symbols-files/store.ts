import { markStacksOf } from '../crash-stacks/mark-stacks.ts'
import { ApiError, type Page } from '@fairlead/contract'
import type { Insertable, SqlBool } from 'kysely'
import { lockApplication } from '../applications/find.ts'
import { releaseBlobs } from '../blobs/records.ts'
import { selectInBatches } from '../db/in-batches.ts'
import type { Db } from '../db/open.ts'
import type { Row, Schema } from '../db/schema.ts'
import { type Paged, toPage } from '../db/paging.ts'
import type { SymbolsFileRecord } from './symbols-file.ts'

function selectFiles(db: Db, workspaceId: number) {
  return db
    .selectFrom('symbols_files')
    .innerJoin('blobs', 'blobs.id', 'symbols_files.blob_id')
    .selectAll('symbols_files')
    .select(['blobs.size', 'blobs.sha256'])
    .where('symbols_files.workspace_id', '=', workspaceId)
}

/** @throws {ApiError} symbolsFileNotFound */
export async function requireSymbolsFile(db: Db, workspaceId: number, id: number): Promise<SymbolsFileRecord> {
  const row = await selectFiles(db, workspaceId).where('symbols_files.id', '=', id).executeTakeFirst()
  const [record] = row ? await addImages(db, [row]) : []
  if (!record) throw new ApiError('symbolsFileNotFound')
  return record
}

export async function listSymbolsFiles(
  db: Db,
  workspaceId: number,
  applicationId: number,
  page: Page,
): Promise<Paged<SymbolsFileRecord>> {
  let query = selectFiles(db, workspaceId)
    .where('symbols_files.application_id', '=', applicationId)
    .orderBy('symbols_files.id', 'desc')
  const { cursor } = page
  if (cursor !== undefined) query = query.where('symbols_files.id', '<', cursor)
  if (page.limit === undefined) return { items: await addImages(db, await query.execute()) }
  const rows = await query.limit(page.limit + 1).execute()
  const { count } = await db
    .selectFrom('symbols_files')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('application_id', '=', applicationId)
    .executeTakeFirstOrThrow()
  return toPage(await addImages(db, rows), page, count)
}

/**
 * Lists the files of an application with these bytes. There are several when versions share a mapping or a
 * source map. `image_name` is the name of one of its images; `is_replaced` says of a mapping that a newer one of the
 * same package and version is used instead.
 */
export async function listSymbolsFilesByDigest(
  db: Db,
  applicationId: number,
  sha256: string,
): Promise<(Row<'symbols_files'> & { image_name: string | null; is_replaced: SqlBool })[]> {
  return db
    .selectFrom('symbols_files')
    .innerJoin('blobs', 'blobs.id', 'symbols_files.blob_id')
    .selectAll('symbols_files')
    .select((select) =>
      select
        .selectFrom('symbols_images')
        .select('symbols_images.name')
        .whereRef('symbols_images.symbols_file_id', '=', 'symbols_files.id')
        .limit(1)
        .as('image_name'),
    )
    .select((select) =>
      select
        .exists(
          select
            .selectFrom('symbols_files as newer')
            .select('newer.id')
            .whereRef('newer.application_id', '=', 'symbols_files.application_id')
            .where('newer.kind', '=', 'proguard')
            .whereRef('newer.kind', '=', 'symbols_files.kind')
            .whereRef('newer.bundle_identifier', 'is not distinct from', 'symbols_files.bundle_identifier')
            .whereRef('newer.short_version', 'is not distinct from', 'symbols_files.short_version')
            .whereRef('newer.version', 'is not distinct from', 'symbols_files.version')
            .whereRef('newer.id', '>', 'symbols_files.id')
            .whereRef('newer.blob_id', '!=', 'symbols_files.blob_id'),
        )
        .as('is_replaced'),
    )
    .where('symbols_files.application_id', '=', applicationId)
    .where('blobs.sha256', '=', sha256)
    .execute()
}

async function addImages<File extends { id: number }>(
  db: Db,
  files: File[],
): Promise<(File & Pick<SymbolsFileRecord, 'images'>)[]> {
  const images = await selectInBatches(
    files.map((file) => file.id),
    (ids) =>
      db
        .selectFrom('symbols_images')
        .innerJoin('symbols_files', 'symbols_files.id', 'symbols_images.symbols_file_id')
        .select(['symbols_file_id', 'name', 'uuid', 'architecture', 'code_id'])
        // A mapping without a map id has a lookup file but no id to match a build by.
        .where((where) => where.or([where('uuid', '!=', ''), where('symbols_files.kind', '=', 'sourcemap')]))
        .where('symbols_file_id', 'in', ids)
        .orderBy('symbols_images.id')
        .execute(),
  )
  const imagesOf = Map.groupBy(images, (image) => image.symbols_file_id)
  return files.map((file) => ({ ...file, images: imagesOf.get(file.id) ?? [] }))
}

export async function insertSymbolsFile(trx: Db, values: Insertable<Schema['symbols_files']>): Promise<number> {
  await renewSymbolsVersion(trx, values.application_id)
  const { id } = await trx.insertInto('symbols_files').values(values).returning('id').executeTakeFirstOrThrow()
  return id
}

export async function insertSymbolsImage(trx: Db, values: Insertable<Schema['symbols_images']>): Promise<void> {
  await trx.insertInto('symbols_images').values(values).execute()
}

/** Deletes a file. Returns the keys of blobs to remove after the commit, or undefined if there was no such file. */
export async function deleteSymbolsFile(trx: Db, workspaceId: number, id: number): Promise<string[] | undefined> {
  const file = await trx
    .selectFrom('symbols_files')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!file || !(await lockApplication(trx, file.application_id))) return undefined
  const lookups = await selectLookupBlobs(trx).where('symbols_files.id', '=', id).execute()
  const images = await trx.selectFrom('symbols_images').select('uuid').where('symbols_file_id', '=', id).execute()
  const deleted = await trx
    .deleteFrom('symbols_files')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returning('blob_id')
    .executeTakeFirst()
  if (!deleted) return undefined
  await renewSymbolsVersion(trx, file.application_id)
  // What the stacks were resolved with is gone, or was wrong.
  await markStacksOf(trx, file.application_id, {
    kind: file.kind,
    ids: [...images.map(({ uuid }) => uuid), file.debug_id ?? ''],
    package: file.bundle_identifier,
    shortVersion: file.short_version,
    version: file.version,
  })
  return releaseBlobs(
    trx,
    [deleted, ...lookups].map(({ blob_id }) => blob_id),
  )
}

/** Over PostgreSQL, answers about builds are known to be out of date by this number. */
async function renewSymbolsVersion(trx: Db, applicationId: number): Promise<void> {
  await trx
    .updateTable('applications')
    .set((update) => ({ symbols_version: update('symbols_version', '+', 1) }))
    .where('id', '=', applicationId)
    .execute()
}

function selectLookupBlobs(trx: Db) {
  return trx
    .selectFrom('symbols_images')
    .innerJoin('symbols_files', 'symbols_files.id', 'symbols_images.symbols_file_id')
    .select('symbols_images.blob_id')
}

/** Lists the UUIDs of images that an application has symbols of, in lower case. */
export async function listKnownUuids(db: Db, applicationId: number, uuids: string[]): Promise<ReadonlySet<string>> {
  const wanted = uuids.map((uuid) => uuid.toUpperCase())
  const rows = await selectInBatches(wanted, (batch) =>
    db
      .selectFrom('symbols_images')
      .select('uuid')
      .distinct()
      .where('application_id', '=', applicationId)
      .where('uuid', 'in', batch)
      .execute(),
  )
  return new Set(rows.map(({ uuid }) => uuid.toLowerCase()))
}
