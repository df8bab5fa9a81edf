import { randomBytes } from 'node:crypto'
import type { AppFile } from '@fairlead/binary'
import type { Build } from '@fairlead/contract'
import type { ApplicationRow } from '../applications/application.ts'
import { assignApplication } from '../applications/assign.ts'
import { requireApplicationByAlias } from '../applications/find.ts'
import { requireApplicationOfFile } from './application-of-file.ts'
import type { StagedFile } from '../blobs/blob-store.ts'
import { type Committed, commitUpload } from '../blobs/commit.ts'
import { type KeptFile, retainBlobs } from '../blobs/records.ts'
import { requireRoom } from '../blobs/quota.ts'
import type { AppContext } from '../context.ts'
import { learnPackages } from '../crash-stacks/learn-packages.ts'
import type { Db } from '../db/open.ts'
import { tellHooks } from '../hooks/tell-hooks.ts'
import type { Caller } from '../http/caller.ts'
import { toBuildFacts } from './build-event.ts'
import { toBuild } from './build.ts'
import { toColumns, type UploadHeaders } from './columns.ts'
import { requireBuild } from './find.ts'
import { takeReleaseCommits } from '../release-commits/replace.ts'
import { checkIdempotencyKey, findFirstAttempt, insertOnce } from './idempotency.ts'
import { toProfileColumn } from './profile-devices.ts'
import { readBinary } from './read-binary.ts'
import { insertBuild, insertImages, insertProfile, readLinkLifetime } from './write-store.ts'

export interface Upload extends UploadHeaders {
  /** Null for the application that has the identifier of the binary, which is created if there is none. */
  alias: string | null
  file: UploadedFile
  /** A retry with the same key gets the answer of the first attempt that succeeded. */
  idempotencyKey: string | null
  /** Aborted when the client has hung up; the binary is then read no further. */
  signal: AbortSignal
}

/** The bytes of an upload, which are not received before every check that does not need them. */
export interface UploadedFile {
  /** Null when the client did not announce it. */
  size: number | null
  /** Receives the bytes, or takes those that were received before. */
  stage(): Promise<StagedFile>
}

/** A build whose bytes are in the blob store and whose rows are not written yet. */
interface PreparedBuild extends Pick<AppFile, 'app' | 'images' | 'ownPackages'> {
  binary: KeptFile
  icon: (KeptFile & { type: string }) | null
}

/**
 * Receives a binary, reads it and creates a build. When this resolves, file and rows are durable; a failure leaves
 * nothing behind.
 *
 * @throws {ApiError} aliasNotFound, tooLarge, idleUpload, truncatedBody, unreadableBinary, wrongPlatform,
 *   identifierMismatch, insufficientStorage, idempotencyMismatch, quotaExceeded
 */
export async function uploadBuild(context: AppContext, caller: Caller, upload: Upload): Promise<Build> {
  const { db } = context
  const { staging } = context.blobs
  const named =
    upload.alias === null ? null : await requireApplicationByAlias(context, caller.workspaceId, upload.alias)
  await checkIdempotencyKey(db, { ...caller, ...upload }, upload.file.size)
  await requireRoom(context, caller.workspaceId, { bytes: upload.file.size ?? 0, builds: 1 })

  const staged = await upload.file.stage()
  try {
    const first = await findFirstAttempt(db, { ...caller, ...upload, ...staged })
    if (first !== undefined) return await answer(context, caller, first)
    const turn = { turnKey: String(caller.workspaceId), signal: upload.signal }
    const read = await readBinary(context, staged, named?.platform ?? null, turn)
    upload.signal.throwIfAborted()
    const buildId = await commit(context, caller, named, upload, staged, read)
    context.jobs.wake()
    return await answer(context, caller, buildId)
  } finally {
    await staging.discard(staged)
  }
}

async function answer(context: AppContext, { workspaceId }: Caller, buildId: number): Promise<Build> {
  return toBuild(await requireBuild(context, workspaceId, buildId), context.config.baseUrl)
}

/** Keeps the binary and its icon in the blob store and inserts the rows. */
async function commit(
  context: AppContext,
  caller: Caller,
  named: ApplicationRow | null,
  upload: Upload,
  staged: StagedFile,
  { app, images, ownPackages, icon }: AppFile,
): Promise<number> {
  const { staging } = context.blobs
  // Each step of a file waits for a turn of the event loop, and turns are long while others keep the server busy. The
  // icon is therefore written and kept beside the binary.
  const stagingIcon = icon ? staging.write(icon.bytes) : null
  try {
    return await commitUpload(context, async (keep) => {
      const keepIcon = async () => {
        if (!icon || !stagingIcon) return null
        return { ...(await keep(await stagingIcon)), type: `image/${icon.format}` }
      }
      // Both have ended before a failure is thrown, so that `commitUpload` knows everything that it has to remove.
      const [keptBinary, keptIcon] = await Promise.allSettled([keep(staged), keepIcon()])
      const binary = requireFulfilled(keptBinary)
      const prepared = { app, images, ownPackages, binary, icon: requireFulfilled(keptIcon) }
      return insertOnce(context.db, { ...caller, ...upload, size: staged.size, sha256: staged.sha256 }, async (trx) => {
        await requireRoom({ ...context, db: trx }, caller.workspaceId, { bytes: staged.size, builds: 1 })
        return insertAll(trx, caller, named, upload, prepared)
      })
    })
  } finally {
    const stagedIcon = await stagingIcon?.catch(() => undefined)
    if (stagedIcon) await staging.discard(stagedIcon)
  }
}

function requireFulfilled<Value>(result: PromiseSettledResult<Value>): Value {
  if (result.status === 'rejected') throw result.reason
  return result.value
}

async function insertAll(
  trx: Db,
  caller: Caller,
  named: ApplicationRow | null,
  upload: Upload,
  { app, binary, icon, images, ownPackages }: PreparedBuild,
): Promise<Committed<number>> {
  const target = named ?? (await requireApplicationOfFile(trx, caller.workspaceId, app))
  const application = await assignApplication(trx, target, app.bundleIdentifier)
  const linkLifetime = await readLinkLifetime(trx, caller.workspaceId)
  const blobOf = await retainBlobs(trx, icon ? [binary, icon] : [binary])
  const binaryBlob = blobOf(binary)
  const iconBlob = icon ? blobOf(icon) : null
  const now = Date.now()
  const columns = toColumns(app, upload)
  const buildId = await insertBuild(trx, {
    workspace_id: caller.workspaceId,
    application_id: application.id,
    blob_id: binaryBlob.id,
    size: binary.size,
    icon_blob_id: iconBlob?.id ?? null,
    icon_type: icon?.type ?? null,
    secret: randomBytes(16).toString('base64url'),
    ...columns,
    uploaded_by: caller.name,
    uploaded_at: now,
    expires_at: now + linkLifetime,
  })
  await insertImages(trx, buildId, images)
  const profile = toProfileColumn(app)
  if (profile !== null) await insertProfile(trx, { build_id: buildId, devices: profile })
  const { short_version, version } = columns
  await takeReleaseCommits(trx, { id: buildId, application_id: application.id, short_version, version })
  const { workspaceId } = caller
  const of = { type: 'build.uploaded' as const, workspaceId, applicationId: application.id }
  await tellHooks(trx, of, async () => toBuildFacts(await requireBuild({ db: trx }, workspaceId, buildId)))
  await learnPackages(trx, application.id, ownPackages)
  return { result: buildId, used: [binaryBlob.key, ...(iconBlob ? [iconBlob.key] : [])] }
}
