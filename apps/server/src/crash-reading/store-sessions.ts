import type { ReadSession } from '@fairlead/crashes'
import type { Db } from '../db/open.ts'
import { correctTime, toDay } from '../crash-releases/clock.ts'
import {
  addSessions,
  addSessionTotals,
  findSessionMark,
  findSessionSketches,
  saveSessionMark,
  saveSessionSketches,
} from './counters-store.ts'
import { addInstall, readSketch, writeSketch } from '../crash-releases/install-sketch.ts'
import type { ReleaseFinder } from './list-new-crashes.ts'

/**
 * Counts the start and the crash of a session once each, however often the app sends them. Returns what was counted.
 */
export async function storeSession(
  trx: Db,
  applicationId: number,
  session: ReadSession,
  clock: { sentAt: number | null; receivedAt: number },
  findRelease: ReleaseFinder,
): Promise<Pick<ReadSession, 'startedCount' | 'crashedCount'>> {
  if (session.startedCount === 0 && session.crashedCount === 0) return { startedCount: 0, crashedCount: 0 }
  // The reader hashes the ids of sessions, and gives one to those that have none.
  const name = session.sessionId ?? ''
  const mark = await findSessionMark(trx, applicationId, name)
  const startedCount = mark?.is_started === 1 ? 0 : session.startedCount
  const crashedCount = mark?.is_crashed === 1 ? 0 : session.crashedCount
  const counted = { startedCount, crashedCount }
  if (startedCount === 0 && crashedCount === 0) return counted
  await saveSessionMark(trx, {
    application_id: applicationId,
    session: name,
    is_started: mark?.is_started === 1 || startedCount > 0 ? 1 : 0,
    is_crashed: mark?.is_crashed === 1 || crashedCount > 0 ? 1 : 0,
    marked_at: clock.receivedAt,
  })
  const release = await findRelease(session)
  const day = toDay(correctTime(session.startedAt, clock))
  const key = { application_id: applicationId, release_id: release.id, day }
  await addSessions(trx, { ...key, started_count: startedCount, crashed_count: crashedCount })
  await addSessionTotals(trx, {
    application_id: applicationId,
    environment: release.environment,
    day,
    started_count: startedCount,
    crashed_count: crashedCount,
  })
  const { installId } = session
  if (installId === null) return counted
  const before = await findSessionSketches(trx, key)
  const add = (sketch: Uint8Array | null | undefined, isCounted: boolean) =>
    isCounted ? writeSketch(addInstall(readSketch(sketch ?? null), installId)) : (sketch ?? null)
  await saveSessionSketches(trx, key, {
    started_sketch: add(before?.started_sketch, startedCount > 0),
    crashed_sketch: add(before?.crashed_sketch, crashedCount > 0),
  })
  return counted
}
