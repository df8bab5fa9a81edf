import { ApiError } from '@fairlead/contract'
import type { Committed } from '../blobs/commit.ts'
import type { Db } from '../db/open.ts'
import { isUniqueViolation } from '../db/unique.ts'
import { findIdempotentBuild, insertIdempotencyKey } from './write-store.ts'
import { transact } from '../db/transact.ts'

/** Identifies an upload. Without a key, every attempt is a separate upload. */
export interface UploadIdentity {
  workspaceId: number
  idempotencyKey: string | null
  /** Null for an upload that names no application. */
  alias: string | null
}

/** An upload whose bytes have arrived. */
export interface ReceivedUpload extends UploadIdentity {
  size: number
  sha256: string
}

const attemptLimit = 3

/**
 * Refuses a key that was used for another alias or length, before the body is read. A null length is not known yet.
 *
 * @throws {ApiError} idempotencyMismatch
 */
export async function checkIdempotencyKey(db: Db, upload: UploadIdentity, size: number | null): Promise<void> {
  const { workspaceId, idempotencyKey, alias } = upload
  const first = idempotencyKey === null ? undefined : await findIdempotentBuild(db, workspaceId, idempotencyKey)
  if (first) refuseMismatch([isSameOrUnknown(first.alias, alias), isSameOrUnknown(first.size, size)])
}

/**
 * Finds the build that an earlier attempt of this upload created.
 *
 * @throws {ApiError} idempotencyMismatch when the key was used for another upload
 */
export async function findFirstAttempt(
  db: Db,
  { workspaceId, idempotencyKey, alias, size, sha256 }: ReceivedUpload,
): Promise<number | undefined> {
  if (idempotencyKey === null) return undefined
  const first = await findIdempotentBuild(db, workspaceId, idempotencyKey)
  if (!first) return undefined
  refuseMismatch([
    isSameOrUnknown(first.alias, alias),
    isSameOrUnknown(first.size, size),
    isSameOrUnknown(first.sha256, sha256),
  ])
  return first.build_id
}

function isSameOrUnknown<Value>(first: Value | null, given: Value | null): boolean {
  return first === null || given === null || first === given
}

function refuseMismatch(matches: boolean[]): void {
  if (matches.every(Boolean)) return
  const faults = [{ source: 'Idempotency-Key', detail: 'was used for another alias or other bytes' }]
  throw new ApiError('idempotencyMismatch', { faults })
}

/**
 * Inserts a build in one short transaction. A unique violation means that a concurrent upload was faster. If it had the
 * same idempotency key, its build is returned; if it took the same bundle identifier for an application, the next
 * attempt finds that application.
 */
export async function insertOnce(
  db: Db,
  upload: ReceivedUpload,
  insert: (trx: Db) => Promise<Committed<number>>,
): Promise<Committed<number>> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transact(db, async (trx) => {
        const inserted = await insert(trx)
        await rememberAttempt(trx, upload, inserted.result)
        return inserted
      })
    } catch (error) {
      if (!isUniqueViolation(error)) throw error
      const first = await findFirstAttempt(db, upload)
      if (first !== undefined) return { result: first, used: [] }
      if (attempt === attemptLimit) throw error
    }
  }
}

async function rememberAttempt(
  trx: Db,
  { workspaceId, idempotencyKey, alias, size, sha256 }: ReceivedUpload,
  buildId: number,
): Promise<void> {
  if (idempotencyKey === null) return
  await insertIdempotencyKey(trx, {
    workspace_id: workspaceId,
    key: idempotencyKey,
    build_id: buildId,
    alias,
    size,
    sha256,
    created_at: Date.now(),
  })
}
