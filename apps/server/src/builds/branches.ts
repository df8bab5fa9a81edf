import type { Branch } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import { listBranchRows } from './branch-store.ts'

/** Lists the branches of an application's newest builds, the one built last first. */
export async function listBranches({ db }: Pick<AppContext, 'db'>, applicationId: number): Promise<Branch[]> {
  const rows = await listBranchRows(db, applicationId)
  return rows.map(({ name, count, latest_id }) => ({ name, buildCount: count, latestBuildId: latest_id }))
}
