import type { AppContext } from '../context.ts'
import { type ListedBuild, selectBuildsOf, selectInstalledIds } from './page-store.ts'

/** How many builds a page shows. A team that gives out three a day reaches it when links live for a year. */
const buildLimit = 1000

export interface TesterBuild extends ListedBuild {
  isInstalled: boolean
}

/** The builds that a tester can install now, newest first. */
export interface TesterBuilds {
  builds: TesterBuild[]
  /** There are older ones that are not listed. */
  isCut: boolean
}

export async function listBuildsOf(
  { db }: Pick<AppContext, 'db'>,
  tester: { id: number; workspace_id: number },
): Promise<TesterBuilds> {
  const rows = await selectBuildsOf(db, tester, { now: Date.now(), limit: buildLimit + 1 })
  const installed = new Set(rows.length === 0 ? [] : await selectInstalledIds(db, tester.id))
  return {
    builds: rows.slice(0, buildLimit).map((build) => ({ ...build, isInstalled: installed.has(build.id) })),
    isCut: rows.length > buildLimit,
  }
}
