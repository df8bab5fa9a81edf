import type { Committed } from '../blobs/commit.ts'
import type { Db } from '../db/open.ts'
import { isUniqueViolation } from '../db/unique.ts'
import { findIdempotentBuild, insertIdempotencyKey } from './store.ts'

/** Which upload of a workspace it is. Without a key, every attempt is an upload of its own. */
export interface UploadIdentity {
  workspaceId: number
  idempotencyKey: string | null
}

const attemptLimit = 3

/** The build that the first attempt of this upload made. */
export async function findFirstAttempt(
  db: Db,
  { workspaceId, idempotencyKey }: UploadIdentity,
): Promise<number | undefined> {
  return idempotencyKey === null ? undefined : findIdempotentBuild(db, workspaceId, idempotencyKey)
}

/**
 * One short transaction. It meets a unique value only when another upload was faster: with the same idempotency key,
 * whose build is then the answer, or in taking the same identifier for an application, which is there at the next try.
 */
export async function insertOnce(
  db: Db,
  upload: UploadIdentity,
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
