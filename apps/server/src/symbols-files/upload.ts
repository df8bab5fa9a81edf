import { ApiError } from '@fairlead/contract'
import { SymbolsError, type SymbolsIndex } from '@fairlead/symbols'
import type { ApplicationRow } from '../applications/application.ts'
import { findApplicationByAlias } from '../applications/store.ts'
import type { StagedFile } from '../blobs/blob-store.ts'
import { keepFile, type KeptFile, removeKeys, retainBlob } from '../blobs/records.ts'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/open.ts'
import type { Row } from '../db/schema.ts'
import type { Caller } from '../http/caller.ts'
import type { UploadBody } from '../http/continue-upload.ts'
import { listSymbolsFilesByDigest } from './store.ts'

export interface SymbolsUpload {
  alias: string
  body: UploadBody
  /** Builds the lookup files, after waiting for a free slot. */
  index(path: string, folder: string): Promise<SymbolsIndex>
  /** Reads the headers that describe a mapping. dSYMs describe themselves, so this is called only for mappings. */
  requireMappingHeaders(): MappingHeaders
}

export interface MappingHeaders {
  bundleIdentifier: string
  shortVersion: string
  version: string
}

interface PreparedSymbols extends MappingColumns {
  kind: SymbolsIndex['kind']
  original: KeptFile
  images: { name: string; uuid: string; architecture: string | null; lookup: KeptFile }[]
}

interface MappingColumns {
  bundleIdentifier: string | null
  shortVersion: string | null
  version: string | null
}

/**
 * Receives symbols, builds their lookup files and stores both. Uploading the same bytes again changes nothing, unless
 * they are the mapping of another version.
 *
 * @throws {ApiError} aliasNotFound, tooLarge, unreadableSymbols, wrongSymbols, invalidRequest, insufficientStorage
 */
export async function uploadSymbols(context: AppContext, caller: Caller, upload: SymbolsUpload): Promise<void> {
  const { db, config } = context
  const { staging } = context.blobs
  const application = await findApplicationByAlias(db, caller.workspaceId, upload.alias)
  if (!application) throw new ApiError('aliasNotFound')
  const limits = { maxBytes: config.maxUploadBytes, idleMs: config.uploadIdleMs }
  const staged = await staging.receive(upload.body.open(), limits)
  try {
    const held = await listSymbolsFilesByDigest(db, application.id, staged.sha256)
    if (held.some(({ kind }) => kind === 'dsym')) return
    if (held.length > 0 && isAmong(held, upload.requireMappingHeaders())) return
    await using folder = await staging.openFolder()
    const indexed = await upload.index(staged.path, folder.path).catch(refuseUnreadable)
    refuseWrongPlatform(indexed, application)
    const columns = indexed.kind === 'proguard' ? upload.requireMappingHeaders() : indexed
    const prepared = await keepAll(context, staged, indexed, columns)
    await commit(context, application, prepared)
  } finally {
    await staging.discard(staged)
  }
}

function isAmong(files: Row<'symbols_files'>[], { bundleIdentifier, shortVersion, version }: MappingColumns): boolean {
  return files.some(
    (file) =>
      file.bundle_identifier === bundleIdentifier && file.short_version === shortVersion && file.version === version,
  )
}

function refuseUnreadable(error: unknown): never {
  if (!(error instanceof SymbolsError) || error.code === 'unreadable') throw error
  throw new ApiError('unreadableSymbols', { detail: error.message, cause: error })
}

function refuseWrongPlatform({ kind }: SymbolsIndex, { platform }: ApplicationRow): void {
  const suits = kind === 'proguard' ? 'android' : 'ios'
  if (platform === suits) return
  const words = kind === 'proguard' ? 'a mapping, which is for android' : 'dSYMs, which are for ios'
  throw new ApiError('wrongSymbols', { detail: `The file holds ${words}; the application is for ${platform}` })
}

async function keepAll(
  context: AppContext,
  staged: StagedFile,
  indexed: SymbolsIndex,
  { bundleIdentifier, shortVersion, version }: MappingColumns,
): Promise<PreparedSymbols> {
  const kept: string[] = []
  const keep = async (file: StagedFile) => {
    const result = await keepFile(context, file)
    kept.push(result.key)
    return result
  }
  try {
    const images: PreparedSymbols['images'] = []
    for (const { name, uuid, architecture, lookupFile } of listImages(indexed)) {
      const lookup = await keep(await context.blobs.staging.adopt(lookupFile))
      images.push({ name, uuid, architecture, lookup })
    }
    return { kind: indexed.kind, bundleIdentifier, shortVersion, version, original: await keep(staged), images }
  } catch (error) {
    await removeKeys(context, kept)
    throw error
  }
}

/** Lists the images in an upload. A mapping counts as one image, identified by its map id if it has one. */
function listImages(
  indexed: SymbolsIndex,
): { name: string; uuid: string; architecture: string | null; lookupFile: string }[] {
  if (indexed.kind === 'dsym') return indexed.images
  const { mapId, mappingFile } = indexed
  return [{ name: 'mapping.txt', uuid: mapId ?? '', architecture: null, lookupFile: mappingFile }]
}

async function commit(context: AppContext, application: ApplicationRow, prepared: PreparedSymbols): Promise<void> {
  const kept = [prepared.original.key, ...prepared.images.map((image) => image.lookup.key)]
  let used: string[] = []
  try {
    used = await context.db.transaction().execute((trx) => insertAll(trx, application, prepared))
  } finally {
    await removeKeys(
      context,
      kept.filter((key) => !used.includes(key)),
    )
  }
}

/** Inserts the rows. Returns the blob keys that they refer to, or none when equal bytes were committed meanwhile. */
async function insertAll(trx: Db, application: ApplicationRow, prepared: PreparedSymbols): Promise<string[]> {
  const held = await listSymbolsFilesByDigest(trx, application.id, prepared.original.sha256)
  if (isAmong(held, prepared)) return []
  const original = await retainBlob(trx, prepared.original)
  const used = [original.key]
  const { id: fileId } = await trx
    .insertInto('symbols_files')
    .values({
      workspace_id: application.workspace_id,
      application_id: application.id,
      blob_id: original.id,
      kind: prepared.kind,
      short_version: prepared.shortVersion,
      version: prepared.version,
      bundle_identifier: prepared.bundleIdentifier,
      uploaded_at: Date.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const { name, uuid, architecture, lookup } of prepared.images) {
    const blob = await retainBlob(trx, lookup)
    used.push(blob.key)
    await trx
      .insertInto('symbols_images')
      .values({ symbols_file_id: fileId, application_id: application.id, name, uuid, architecture, blob_id: blob.id })
      .execute()
  }
  return used
}
