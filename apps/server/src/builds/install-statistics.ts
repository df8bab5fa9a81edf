import type { InstallStatistics } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import { requireBuild } from './find.ts'
import { countInstallsByDay, countInstallsByTester } from './install-store.ts'
import { toInstant } from '../http/instant.ts'

const day = 24 * 60 * 60 * 1000
/** At most this many testers are listed, the most recent first. */
const testerLimit = 1000

/**
 * Counts the installs of a build: per UTC day for the last `dayCount` days, oldest first, and per tester since the
 * upload.
 *
 * @throws {ApiError} buildNotFound
 */
export async function readInstallStatistics(
  context: Pick<AppContext, 'db' | 'installs'>,
  workspaceId: number,
  buildId: number,
  dayCount: number,
): Promise<InstallStatistics> {
  await requireBuild(context, workspaceId, buildId)
  await context.installs.flush()
  const today = Math.floor(Date.now() / day)
  const firstDay = today - dayCount + 1
  const counts = await countInstallsByDay(context.db, buildId, firstDay)
  const countOf = new Map(counts.map(({ day, kind, count }) => [`${kind} ${day}`, count]))
  const days = Array.from({ length: dayCount }, (_, index) => ({
    date: toInstant((firstDay + index) * day).slice(0, 10),
    installs: countOf.get(`install ${firstDay + index}`) ?? 0,
    downloads: countOf.get(`download ${firstDay + index}`) ?? 0,
  }))
  const testers = await countInstallsByTester(context.db, buildId, testerLimit)
  return {
    days,
    testers: testers.map(({ id, email, count, last_at }) => ({ id, email, count, lastDate: toInstant(last_at) })),
  }
}
