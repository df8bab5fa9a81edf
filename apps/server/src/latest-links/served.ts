import { listLatestBuildIds } from '../builds/latest.ts'
import type { AppContext } from '../context.ts'
import { toLatestScope } from './latest-link.ts'
import { listLatestLinkRows } from './store.ts'

/** Returns the builds that the live latest links of an application show, without older ones on their pages. */
export async function listServedIds({ db }: Pick<AppContext, 'db'>, applicationId: number): Promise<Set<number>> {
  const now = Date.now()
  const served = new Set<number>()
  for (const link of await listLatestLinkRows(db, applicationId)) {
    const isLive = link.link_revoked_at === null && (link.expires_at === null || link.expires_at > now)
    for (const id of isLive ? await listLatestBuildIds({ db }, toLatestScope(link), 1) : []) served.add(id)
  }
  return served
}
