import { ApiError, type SymbolsKind } from '@fairlead/contract'
import { SymbolsError, type SymbolsIndex, toDetailRank } from '@fairlead/symbols'
import type { ApplicationRow } from '../applications/application.ts'
import { lockApplication, requireApplicationByAlias } from '../applications/find.ts'
import type { StagedFile } from '../blobs/blob-store.ts'
import { type Committed, commitUpload } from '../blobs/commit.ts'
import { requireRoom } from '../blobs/quota.ts'
import { type KeptFile, retainBlobs } from '../blobs/records.ts'
import type { AppContext } from '../context.ts'
import { markStacksOf } from '../crashes/mark-stacks.ts'
import type { Db } from '../db/open.ts'
import type { Row } from '../db/schema.ts'
import type { Caller } from '../http/caller.ts'
import type { UploadBody } from '../http/continue-upload.ts'
import { enqueueJobs } from '../jobs/enqueue.ts'
import { readDebugId } from './debug-id.ts'
import { insertSymbolsFile, insertSymbolsImage, listSymbolsFilesByDigest } from './store.ts'
import { transact } from '../db/transact.ts'

export interface SymbolsUpload {
  alias: string
  body: UploadBody
  /** Builds the lookup files, after waiting for a free slot. */
  index(file: Pick<StagedFile, 'path' | 'size'>, folder: string): Promise<SymbolsIndex>
  /** The name of the file, where the client tells one. */
  fileName?: string | undefined
  /** Reads what describes the file, for the kinds that do not describe themselves. */
  describe(kind: DescribedKind): MappingColumns
}

interface PreparedSymbols extends MappingColumns {
  kind: SymbolsIndex['kind']
  debugId: string | null
  original: KeptFile
  images: (ImageColumns & { lookup: KeptFile })[]
}

export interface MappingColumns {
  bundleIdentifier: string | null
  shortVersion: string | null
  version: string | null
  /** The id that the build gave the mapping; the UUIDv5 of its bytes by default. */
  debugId?: string | null | undefined
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
  const application = await requireApplicationByAlias(context, caller.workspaceId, upload.alias)
  const { size } = upload.body
  await requireRoom(context, caller.workspaceId, { bytes: size ?? 0, builds: 0 })
  const limits = { maxBytes: config.maxUploadBytes, idleMs: config.uploadIdleMs, announcedSize: size ?? undefined }
  const staged = await staging.receive(upload.body.open(), limits)
  try {
    const held = await listSymbolsFilesByDigest(db, application.id, staged.sha256)
    const [heldFile] = held
    if (heldFile && !isDescribed(heldFile.kind)) return
    if (heldFile && isDescribed(heldFile.kind) && isAmong(held, upload.describe(heldFile.kind))) return
    await requireRoom(context, caller.workspaceId, { bytes: staged.size, builds: 0 })
    await using folder = await staging.openFolder(staged.size)
    const indexed = await upload.index(staged, folder.path).catch(refuseUnreadable)
    refuseWrongPlatform(indexed, application)
    const columns = isDescribed(indexed.kind) ? upload.describe(indexed.kind) : toColumns(indexed)
    await commit(context, application, staged, nameAfterFile(indexed, upload.fileName), columns)
  } finally {
    await staging.discard(staged)
  }
}

function isAmong(files: Row<'symbols_files'>[], columns: MappingColumns): boolean {
  const { bundleIdentifier, shortVersion, version, debugId } = columns
  return files.some(
    (file) =>
      file.bundle_identifier === bundleIdentifier &&
      file.short_version === shortVersion &&
      file.version === version &&
      (debugId === null || debugId === undefined || file.debug_id === null || file.debug_id === debugId),
  )
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

const words: Record<SymbolsIndex['kind'], string> = {
  proguard: 'a mapping, which is for android',
  dsym: 'dSYMs, which are for ios',
  elf: 'ELF files, which are for android and for Flutter on ios',
}

function refuseWrongPlatform({ kind }: SymbolsIndex, { platform }: ApplicationRow): void {
  if (kind === 'elf' || platform === (kind === 'proguard' ? 'android' : 'ios')) return
  throw new ApiError('wrongSymbols', { detail: `The file holds ${words[kind]}; the application is for ${platform}` })
}

/** The kinds of files whose package and version are told by the client. */
type DescribedKind = 'proguard'

function isDescribed(kind: SymbolsKind): kind is DescribedKind {
  return kind === 'proguard'
}

const noColumns: MappingColumns = { bundleIdentifier: null, shortVersion: null, version: null }

function toColumns(indexed: SymbolsIndex): MappingColumns {
  return indexed.kind === 'dsym' ? indexed : noColumns
}

/** A single ELF file has the name of the file that was sent. */
function nameAfterFile(indexed: SymbolsIndex, fileName: string | undefined): SymbolsIndex {
  const [image, ...others] = indexed.kind === 'elf' ? indexed.images : []
  if (fileName === undefined || indexed.kind !== 'elf' || !image || others.length > 0) return indexed
  return { ...indexed, images: [{ ...image, name: fileName }] }
}

/** Keeps the upload and its lookup files in the blob store and inserts the rows. */
async function commit(
  context: AppContext,
  application: ApplicationRow,
  staged: StagedFile,
  indexed: SymbolsIndex,
  { bundleIdentifier, shortVersion, version, debugId: givenId }: MappingColumns,
): Promise<void> {
  await commitUpload(context, async (keep) => {
    const images: PreparedSymbols['images'] = []
    for (const { lookupFile, ...image } of listImages(indexed)) {
      images.push({ ...image, lookup: await keep(await context.blobs.staging.adopt(lookupFile)) })
    }
    const debugId = indexed.kind === 'proguard' ? (givenId ?? (await readDebugId(staged.path))) : null
    const original = await keep(staged)
    const prepared = { kind: indexed.kind, debugId, bundleIdentifier, shortVersion, version, original, images }
    return transact(context.db, (trx) => insertAll(trx, application, prepared))
  })
  context.jobs.wake()
}

interface ImageColumns {
  name: string
  uuid: string
  architecture: string | null
  codeId: string | null
  detailRank: number
}

/** Lists the images in an upload. A mapping counts as one image, identified by its map id if it has one. */
function listImages(indexed: SymbolsIndex): (ImageColumns & { lookupFile: string })[] {
  if (indexed.kind === 'proguard') {
    const image = { name: 'mapping.txt', uuid: indexed.mapId ?? '', architecture: null, codeId: null, detailRank: 0 }
    return [{ ...image, lookupFile: indexed.mappingFile }]
  }
  if (indexed.kind === 'dsym') {
    return indexed.images.map(({ name, uuid, architecture, lookupFile }) => {
      return { name, uuid, architecture, codeId: null, detailRank: 0, lookupFile }
    })
  }
  return indexed.images.map(({ name, uuid, architecture, codeId, detail, lookupFile }) => {
    return { name, uuid, architecture, codeId, detailRank: toDetailRank(detail), lookupFile }
  })
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
