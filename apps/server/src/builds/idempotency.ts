import type { Committed } from '../blobs/commit.ts'
import type { Db } from '../db/open.ts'
import { isUniqueViolation } from '../db/unique.ts'
import { findIdempotentBuild, insertIdempotencyKey } from './store.ts'
import { transact } from '../db/transact.ts'

/** Identifies an upload. Without a key, every attempt is a separate upload. */
export interface UploadIdentity {
  workspaceId: number
  idempotencyKey: string | null
}

const attemptLimit = 3

/** Finds the build that an earlier attempt of this upload created. */
export async function findFirstAttempt(
  db: Db,
  { workspaceId, idempotencyKey }: UploadIdentity,
): Promise<number | undefined> {
  return idempotencyKey === null ? undefined : findIdempotentBuild(db, workspaceId, idempotencyKey)
}

/**
 * Inserts a build in one short transaction. A unique violation means that a concurrent upload was faster. If it had the
 * same idempotency key, its build is returned; if it took the same bundle identifier for an application, the next
 * attempt finds that application.
 */
export async function insertOnce(
  db: Db,
  upload: UploadIdentity,
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
  { workspaceId, idempotencyKey }: UploadIdentity,
  buildId: number,
): Promise<void> {
  if (idempotencyKey === null) return
  await insertIdempotencyKey(trx, {
    workspace_id: workspaceId,
    key: idempotencyKey,
    build_id: buildId,
    created_at: Date.now(),
  })
}
