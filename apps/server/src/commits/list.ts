import type { Commit, Page } from '@fairlead/contract'
import type { Db } from '../db/open.ts'
import type { Paged } from '../db/paging.ts'
import { toCommit } from './build-commits.ts'
import { listCommitRows, listFilesOf } from './store.ts'

/** Lists the commits of a build with their files, newest first. */
export async function listCommits(db: Db, buildId: number, query: Page): Promise<Paged<Commit>> {
  const page = await listCommitRows(db, buildId, query)
  const places = page.items.map(({ place }) => place)
  const files = Map.groupBy(await listFilesOf(db, buildId, places), ({ place }) => place)
  return { ...page, items: page.items.map((row) => toCommit(row, files.get(row.place) ?? [])) }
}
