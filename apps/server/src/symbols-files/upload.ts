import { ApiError } from '@fairlead/contract'
import { SymbolsError, type SymbolsIndex } from '@fairlead/symbols'
import type { ApplicationRow } from '../applications/application.ts'
import { lockApplication, requireApplicationByAlias } from '../applications/find.ts'
import type { StagedFile } from '../blobs/blob-store.ts'
import { type Committed, commitUpload } from '../blobs/commit.ts'
import { requireRoom } from '../blobs/quota.ts'
import { type KeptFile, retainBlobs } from '../blobs/records.ts'
import type { AppContext } from '../context.ts'
import { markStacksOf } from '../crash-stacks/mark-stacks.ts'
import type { Db } from '../db/open.ts'
import { tellHooks } from '../hooks/tell-hooks.ts'
import type { Caller } from '../http/caller.ts'
import type { UploadBody } from '../http/continue-upload.ts'
import { enqueueJobs } from '../jobs/enqueue.ts'
import { readDebugId } from './debug-id.ts'
import { type ListedImage, listImages } from './list-images.ts'
import { insertSymbolsFile, insertSymbolsImage, listSymbolsFilesByDigest } from './store.ts'
import { isTold, refuseWrongPlatform, toColumns, type ToldColumns, type ToldKind } from './symbols-kinds.ts'
import { transact } from '../db/transact.ts'

export interface SymbolsUpload {
  alias: string
  body: UploadBody
  /** Builds the lookup files, after waiting for a free slot. */
  index(file: Pick<StagedFile, 'path' | 'size'>, folder: string): Promise<SymbolsIndex>
  /** The name of the file, where the client tells one. */
  fileName?: string | undefined
  /** Reads what describes the file, for the kinds that do not describe themselves. */
  describe(kind: ToldKind): ToldColumns
}

interface PreparedSymbols extends ToldColumns {
  kind: SymbolsIndex['kind']
  debugId: string | null
  original: KeptFile
  images: (Omit<ListedImage, 'lookupFile'> & { lookup: KeptFile })[]
}

/**
 * Receives symbols, builds their lookup files and stores both. Uploading the same bytes again changes nothing, unless
 * they are the mapping of another version, or one that another mapping has replaced. Returns the digest of the bytes.
 *
 * @throws {ApiError} aliasNotFound, tooLarge, unreadableSymbols, wrongSymbols, invalidRequest, insufficientStorage
 */
export async function uploadSymbols(
  context: AppContext,
  caller: Caller,
  upload: SymbolsUpload,
): Promise<{ sha256: string }> {
  const { db, config } = context
  const { staging } = context.blobs
  const application = await requireApplicationByAlias(context, caller.workspaceId, upload.alias)
  const { size } = upload.body
  await requireRoom(context, caller.workspaceId, { bytes: size ?? 0, builds: 0 })
  const limits = { maxBytes: config.maxUploadBytes, idleMs: config.uploadIdleMs, announcedSize: size ?? undefined }
  const staged = await staging.receive(upload.body.open(), limits)
  try {
    const held = await listSymbolsFilesByDigest(db, application.id, staged.sha256)
    const [heldFile] = held
    if (heldFile && !isTold(heldFile.kind)) return staged
    if (heldFile && isTold(heldFile.kind) && isAmong(held, upload.describe(heldFile.kind))) return staged
    await requireRoom(context, caller.workspaceId, { bytes: staged.size, builds: 0 })
    await using folder = await staging.openFolder(staged.size)
    const indexed = await upload.index(staged, folder.path).catch(refuseUnreadable)
    refuseWrongPlatform(indexed, application)
    const columns = isTold(indexed.kind) ? upload.describe(indexed.kind) : toColumns(indexed)
    await commit(context, application, staged, listImages(indexed, columns, upload.fileName), {
      ...columns,
      kind: indexed.kind,
    })
    return staged
  } finally {
    await staging.discard(staged)
  }
}

type HeldFile = Awaited<ReturnType<typeof listSymbolsFilesByDigest>>[number]

function isAmong(files: readonly HeldFile[], columns: ToldColumns): boolean {
  const { bundleIdentifier, shortVersion, version } = columns
  return files.some(
    (file) =>
      !file.is_replaced &&
      file.bundle_identifier === bundleIdentifier &&
      file.short_version === shortVersion &&
      file.version === version &&
      isNamedAlike(file, columns),
  )
}

function isNamedAlike(file: HeldFile, { debugId = null, bundleName = null }: ToldColumns): boolean {
  if (file.kind === 'sourcemap') {
    return file.debug_id === debugId && (bundleName === null || file.image_name === bundleName)
  }
  return debugId === null || file.debug_id === null || file.debug_id === debugId
}

function refuseUnreadable(error: unknown): never {
  if (isFullDisk(error)) throw new ApiError('insufficientStorage', { cause: error })
  if (!(error instanceof SymbolsError) || error.code === 'unreadable') throw error
  throw new ApiError('unreadableSymbols', { detail: error.message, cause: error })
}

/** The process that reads symbols writes the lookup files; its failure arrives as text. */
function isFullDisk(error: unknown): boolean {
  return error instanceof SymbolsError && error.code === 'crashed' && /\b(ENOSPC|EDQUOT)\b/.test(error.message)
}

/** Keeps the upload and its lookup files in the blob store and inserts the rows. */
async function commit(
  context: AppContext,
  application: ApplicationRow,
  staged: StagedFile,
  listed: readonly ListedImage[],
  {
    kind,
    bundleIdentifier,
    shortVersion,
    version,
    debugId: givenId,
    bundleName,
  }: ToldColumns & Pick<SymbolsIndex, 'kind'>,
): Promise<void> {
  await commitUpload(context, async (keep) => {
    const images: PreparedSymbols['images'] = []
    for (const { lookupFile, ...image } of listed) {
      images.push({ ...image, lookup: await keep(await context.blobs.staging.adopt(lookupFile)) })
    }
    const debugId = givenId ?? (kind === 'proguard' ? await readDebugId(staged.path) : null)
    const original = await keep(staged)
    const prepared = { kind, debugId, bundleName, bundleIdentifier, shortVersion, version, original, images }
    return transact(context.db, (trx) => insertAll(trx, application, prepared))
  })
  context.jobs.wake()
}

/** Inserts nothing if a concurrent upload has stored the same bytes. */
async function insertAll(
  trx: Db,
  application: ApplicationRow,
  prepared: PreparedSymbols,
): Promise<Committed<undefined>> {
  // The lock makes equal symbols that are sent at once wait for each other, so that only the first of them are stored.
  if (!(await lockApplication(trx, application.id))) throw new ApiError('aliasNotFound')
  const held = await listSymbolsFilesByDigest(trx, application.id, prepared.original.sha256)
  if (isAmong(held, prepared)) return { result: undefined, used: [] }
  const files = [prepared.original, ...prepared.images.map(({ lookup }) => lookup)]
  const blobOf = await retainBlobs(trx, files)
  const fileId = await insertSymbolsFile(trx, {
    workspace_id: application.workspace_id,
    application_id: application.id,
    blob_id: blobOf(prepared.original).id,
    kind: prepared.kind,
    short_version: prepared.shortVersion,
    version: prepared.version,
    bundle_identifier: prepared.bundleIdentifier,
    debug_id: prepared.debugId,
    uploaded_at: Date.now(),
  })
  for (const { name, uuid, architecture, codeId, detailRank, lookup } of prepared.images) {
    const image = { symbols_file_id: fileId, application_id: application.id, name, uuid, architecture }
    await insertSymbolsImage(trx, { ...image, code_id: codeId, detail_rank: detailRank, blob_id: blobOf(lookup).id })
  }
  const { id: applicationId, workspace_id: workspaceId } = application
  await tellHooks(trx, { type: 'symbols.uploaded', workspaceId, applicationId }, () => {
    const { kind, shortVersion, version, images } = prepared
    return { data: { symbolsFileId: fileId, kind, shortVersion, version, imageCount: images.length } }
  })
  await markStacksOf(trx, application.id, {
    kind: prepared.kind,
    ids: [...prepared.images.map(({ uuid }) => uuid), prepared.debugId ?? ''],
    package: prepared.bundleIdentifier,
    shortVersion: prepared.shortVersion,
    version: prepared.version,
  })
  await enqueueJobs(trx, [
    {
      kind: 'read-test-crashes',
      key: `read-test-crashes ${application.id}`,
      payload: { applicationId: application.id },
    },
  ])
  return { result: undefined, used: files.map((file) => blobOf(file).key) }
}
