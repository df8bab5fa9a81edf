import type { AppContext } from '../context.ts'
import {
  deleteCrashes,
  deleteMarksBefore,
  listCrashesBefore,
  listLastingCrashes,
  listMarkedCrashes,
  markLasting,
} from './retention-store.ts'

const dayMs = 24 * 60 * 60 * 1000
/** Crashes and their reports are kept this long, but for one of each group; stacks and counts for ever. */
const crashMs = 90 * dayMs
/** A session that is sent again later than this is counted again. */
const sessionMs = 7 * dayMs

/**
 * Deletes crashes past their retention in small transactions, on a full disk as well. One crash of each group stays for
 * as long as the group, so that the group always shows a report. It is marked, and is only read again when further
 * crashes of its group have grown old, so that a day costs what it deletes. Returns how many were deleted.
 */
export async function deleteOldCrashes(
  { db, blobs }: Pick<AppContext, 'db'> & { blobs: Pick<AppContext['blobs'], 'reserve'> },
  now: number,
  signal: AbortSignal,
): Promise<number> {
  const { reserve } = blobs
  await reserve.delete(() => deleteMarksBefore(db, now - sessionMs))
  let deleted = 0
  while (!signal.aborted) {
    const old = await listCrashesBefore(db, now - crashMs)
    if (old.length === 0) break
    const groupIds = [...new Set(old.map(({ groupId }) => groupId))]
    const lasting = new Set((await listLastingCrashes(db, groupIds)).map(({ id }) => id))
    const ids = [...old.map(({ id }) => id), ...(await listMarkedCrashes(db, groupIds))]
    const left = ids.filter((id) => lasting.has(id))
    const outdated = ids.filter((id) => !lasting.has(id))
    // Each is marked or deleted, so that none is listed again.
    if (left.length > 0) await reserve.delete(() => markLasting(db, left))
    if (outdated.length > 0) await reserve.delete(() => deleteCrashes(db, outdated))
    deleted += outdated.length
  }
  return deleted
}
