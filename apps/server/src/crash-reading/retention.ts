import type { AppContext } from '../context.ts'
import { deleteCrashes, deleteMarksBefore, findLastingCrash, listCrashesBefore } from './retention-store.ts'

const dayMs = 24 * 60 * 60 * 1000
/** Crashes and their reports are kept this long, but for one of each group; stacks and counts for ever. */
const crashMs = 90 * dayMs
/** A session that is sent again later than this is counted again. */
const sessionMs = 7 * dayMs

/**
 * Deletes crashes past their retention in small transactions, on a full disk as well. One crash of each group stays for
 * as long as the group, so that the group always shows a report. Returns how many were deleted.
 */
export async function deleteOldCrashes(
  { db, blobs }: Pick<AppContext, 'db'> & { blobs: Pick<AppContext['blobs'], 'reserve'> },
  now: number,
  signal: AbortSignal,
): Promise<number> {
  await blobs.reserve.delete(() => deleteMarksBefore(db, now - sessionMs))
  const lasting = new Map<number, number | undefined>()
  let deleted = 0
  let lastId = 0
  while (!signal.aborted) {
    const old = await listCrashesBefore(db, now - crashMs, lastId)
    const last = old.at(-1)
    if (!last) break
    lastId = last.id
    for (const { groupId } of old) {
      if (!lasting.has(groupId)) lasting.set(groupId, await findLastingCrash(db, groupId))
    }
    const ids = old.flatMap(({ id, groupId }) => (lasting.get(groupId) === id ? [] : [id]))
    if (ids.length > 0) await blobs.reserve.delete(() => deleteCrashes(db, ids))
    deleted += ids.length
  }
  return deleted
}
