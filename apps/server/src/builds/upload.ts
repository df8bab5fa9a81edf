import { randomBytes } from 'node:crypto'
import { ApiError, type Build } from '@fairlead/contract'
import type { AppImage, AppInfo } from '@fairlead/binary'
import type { ApplicationRow } from '../applications/application.ts'
import { findApplicationByAlias } from '../applications/store.ts'
import type { StagedFile } from '../blobs/blob-store.ts'
import { keepFile, type KeptFile, removeKeys, retainBlob } from '../blobs/records.ts'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/open.ts'
import { isUniqueViolation } from '../db/unique.ts'
import type { Caller } from '../http/caller.ts'
import type { UploadBody } from '../http/continue-upload.ts'
import { assignApplication } from './assign-application.ts'
import { requireBuild, toBuild } from './build.ts'
import { readBinary, type ReadBinary } from './read-binary.ts'
import { insertBuild, insertImages } from './store.ts'
import { toColumns } from './columns.ts'

export interface Upload {
  alias: string
  body: UploadBody
  fileName: string | null
  source: { branch: string | null; commit: string | null; ciUrl: string | null }
  /** A retry with the same key gets the answer of the first attempt that succeeded. */
  idempotencyKey: string | null
}

/** A build whose bytes are in the blob store and whose rows are not written yet. */
interface PreparedBuild {
  app: AppInfo
  images: AppImage[]
  binary: KeptFile
  icon: (KeptFile & { type: string }) | null
}

/**
 * Receives a binary, reads it and creates a build. When this resolves, file and rows are durable; a failure leaves
 * nothing behind.
 *
 * @throws {ApiError} aliasNotFound, tooLarge, idleUpload, truncatedBody, unreadableBinary, wrongPlatform,
 *   identifierMismatch, insufficientStorage
 */
export async function uploadBuild(context: AppContext, caller: Caller, upload: Upload): Promise<Build> {
  const { db, config } = context
  const { staging } = context.blobs
  const named = await findApplicationByAlias(db, caller.workspaceId, upload.alias)
  if (!named) throw new ApiError('aliasNotFound')
  const first = await findFirstAttempt(db, caller.workspaceId, upload.idempotencyKey)
  if (first !== undefined) return answer(context, caller, first)

  const staged = await staging.receive(upload.body.open(), {
    maxBytes: config.maxUploadBytes,
    idleMs: config.uploadIdleMs,
  })
  try {
    const read = await readBinary(context, staged, named.platform)
    const prepared = await keepAll(context, staged, read)
    return await answer(context, caller, await commit(context, caller, named, upload, prepared))
  } finally {
    await staging.discard(staged)
  }
}

async function answer(context: AppContext, { workspaceId }: Caller, buildId: number): Promise<Build> {
  return toBuild(await requireBuild(context, workspaceId, buildId), context.config.baseUrl)
}

async function findFirstAttempt(db: Db, workspaceId: number, key: string | null): Promise<number | undefined> {
  if (key === null) return undefined
  const row = await db
    .selectFrom('idempotency_keys')
    .select('build_id')
    .where('workspace_id', '=', workspaceId)
    .where('key', '=', key)
    .executeTakeFirst()
  return row?.build_id
}

async function keepAll(context: AppContext, staged: StagedFile, read: ReadBinary): Promise<PreparedBuild> {
  const { icon, ...rest } = read
  const stagedIcon = icon ? await context.blobs.staging.write(icon.bytes) : null
  const binary = await keepFile(context, staged)
  if (!icon || !stagedIcon) return { ...rest, binary, icon: null }
  try {
    return { ...rest, binary, icon: { ...(await keepFile(context, stagedIcon)), type: `image/${icon.format}` } }
  } catch (error) {
    await removeKeys(context, [binary.key])
    await context.blobs.staging.discard(stagedIcon)
    throw error
  }
}

/** Writes the rows and removes blobs that turn out not to be needed. */
async function commit(
  context: AppContext,
  caller: Caller,
  named: ApplicationRow,
  upload: Upload,
  prepared: PreparedBuild,
): Promise<number> {
  const kept = [prepared.binary.key, ...(prepared.icon ? [prepared.icon.key] : [])]
  let used: string[] = []
  try {
    const inserted = await insertOnce(context, caller, named, upload, prepared)
    used = inserted.used
    return inserted.buildId
  } finally {
    await removeKeys(
      context,
      kept.filter((key) => !used.includes(key)),
    )
  }
}

/**
 * Inserts everything in one short transaction. A unique violation means that a concurrent upload was faster: either
 * with the same idempotency key, in which case its build is the answer, or in giving the same identifier to an
 * application, which the next attempt finds.
 */
async function insertOnce(
  { db }: AppContext,
  caller: Caller,
  named: ApplicationRow,
  upload: Upload,
  prepared: PreparedBuild,
): Promise<{ buildId: number; used: string[] }> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute((trx) => insertAll(trx, caller, named, upload, prepared))
    } catch (error) {
      if (!isUniqueViolation(error)) throw error
      const first = await findFirstAttempt(db, caller.workspaceId, upload.idempotencyKey)
      if (first !== undefined) return { buildId: first, used: [] }
      if (attempt === 3) throw error
    }
  }
}

async function insertAll(
  trx: Db,
  caller: Caller,
  named: ApplicationRow,
  upload: Upload,
  { app, binary, icon, images }: PreparedBuild,
): Promise<{ buildId: number; used: string[] }> {
  const application = await assignApplication(trx, named, app.bundleIdentifier)
  const { link_lifetime_ms } = await trx
    .selectFrom('workspaces')
    .select('link_lifetime_ms')
    .where('id', '=', caller.workspaceId)
    .executeTakeFirstOrThrow()
  const binaryBlob = await retainBlob(trx, binary)
  const iconBlob = icon ? await retainBlob(trx, icon) : null
  const now = Date.now()
  const buildId = await insertBuild(trx, {
    workspace_id: caller.workspaceId,
    application_id: application.id,
    blob_id: binaryBlob.id,
    icon_blob_id: iconBlob?.id ?? null,
    icon_type: icon?.type ?? null,
    secret: randomBytes(16).toString('base64url'),
    ...toColumns(app, upload),
    uploaded_by: caller.name,
    uploaded_at: now,
    expires_at: now + link_lifetime_ms,
  })
  await insertImages(trx, buildId, images)
  if (upload.idempotencyKey !== null) {
    await trx
      .insertInto('idempotency_keys')
      .values({ workspace_id: caller.workspaceId, key: upload.idempotencyKey, build_id: buildId, created_at: now })
      .execute()
  }
  return { buildId, used: [binaryBlob.key, ...(iconBlob ? [iconBlob.key] : [])] }
}
