import { ApiError } from '@fairlead/contract'
import type { StagedFile } from '../blobs/blob-store.ts'
import type { Committed } from '../blobs/commit.ts'
import type { Db } from '../db/open.ts'
import { isUniqueViolation } from '../db/unique.ts'
import { findIdempotencyKey, type FirstAttempt, insertIdempotencyKey } from './store.ts'

/** Identifies an upload. Without a key, every attempt is a separate upload. */
export interface UploadIdentity {
  workspaceId: number
  idempotencyKey: string | null
  alias: string
}

const attemptLimit = 3

/**
 * Finds the first attempt of this upload.
 *
 * @throws {ApiError} idempotencyMismatch when its alias, or its length as far as announced, was another
 */
export async function findFirstAttempt(
  db: Db,
  { workspaceId, idempotencyKey, alias }: UploadIdentity,
  announcedSize: number | undefined,
): Promise<FirstAttempt | undefined> {
  if (idempotencyKey === null) return undefined
  const first = await findIdempotencyKey(db, workspaceId, idempotencyKey)
  if (first?.alias !== undefined && first.alias !== null && first.alias !== alias) throw mismatch('alias')
  if (first && announcedSize !== undefined && first.size !== announcedSize) throw mismatch('length')
  return first
}

/** @throws {ApiError} idempotencyMismatch unless the first attempt had the same bytes */
export function requireSameBytes(first: FirstAttempt, { sha256 }: Pick<StagedFile, 'sha256'>): void {
  if (first.sha256 !== sha256) throw mismatch('digest')
}

function mismatch(what: string): ApiError {
  const detail = `This Idempotency-Key was used for an upload with another ${what}`
  return new ApiError('idempotencyMismatch', { faults: [{ source: 'Idempotency-Key', detail }] })
}

/**
 * Inserts a build in one short transaction. A unique violation means that a concurrent upload was faster. If it had the
 * same idempotency key and bytes, its build is returned; if it took the same bundle identifier for an application, the
 * next attempt finds that application.
 */
export async function insertOnce(
  db: Db,
  upload: UploadIdentity,
  staged: Pick<StagedFile, 'sha256' | 'size'>,
  insert: (trx: Db) => Promise<Committed<number>>,
): Promise<Committed<number>> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(async (trx) => {
        const inserted = await insert(trx)
        await rememberAttempt(trx, upload, inserted.result)
        return inserted
      })
    } catch (error) {
      if (!isUniqueViolation(error)) throw error
      const first = await findFirstAttempt(db, upload, staged.size)
      if (first) {
        requireSameBytes(first, staged)
        return { result: first.build_id, used: [] }
      }
      if (attempt === attemptLimit) throw error
    }
  }
}

async function rememberAttempt(
  trx: Db,
  { workspaceId, idempotencyKey, alias }: UploadIdentity,
  buildId: number,
): Promise<void> {
  if (idempotencyKey === null) return
  await insertIdempotencyKey(trx, {
    workspace_id: workspaceId,
    key: idempotencyKey,
    alias,
    build_id: buildId,
    created_at: Date.now(),
  })
}
