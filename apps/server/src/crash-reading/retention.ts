import type { AppContext } from '../context.ts'
import { deleteCrashesBefore, deleteMarksBefore } from './retention-store.ts'

const dayMs = 24 * 60 * 60 * 1000
/** Crashes and their reports are kept this long; stacks and counts for ever. */
const crashMs = 90 * dayMs
/** A session that is sent again later than this is counted again. */
const sessionMs = 7 * dayMs

/** Deletes crashes past their retention in small transactions, on a full disk as well. Returns how many. */
export async function deleteOldCrashes(
  { db, blobs }: Pick<AppContext, 'db'> & { blobs: Pick<AppContext['blobs'], 'reserve'> },
  now: number,
  signal: AbortSignal,
): Promise<number> {
  await blobs.reserve.delete(() => deleteMarksBefore(db, now - sessionMs))
  let deleted = 0
  while (!signal.aborted) {
    const count = await blobs.reserve.delete(() => deleteCrashesBefore(db, now - crashMs))
    if (count === 0) break
    deleted += count
  }
  return deleted
}
