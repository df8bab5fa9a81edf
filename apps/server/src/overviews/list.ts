import type { OverviewLine, Page } from '@fairlead/contract'
import { requireKey } from '@fairlead/invariant'
import { listApplications } from '../applications/find.ts'
import type { AppContext } from '../context.ts'
import { summarizeCrashesOf } from '../crashes/overview.ts'
import type { Paged } from '../db/paging.ts'
import { summarizeTestsOf } from '../test-verdicts/overview.ts'

/** Lists a line for each application of a workspace, in the order of their list. */
export async function listOverviewLines(
  context: Pick<AppContext, 'db'>,
  workspaceId: number,
  page: Page,
): Promise<Paged<OverviewLine>> {
  const { items, ...rest } = await listApplications(context, workspaceId, page)
  const ids = items.map(({ id }) => id)
  if (ids.length === 0) return { items: [], ...rest }
  const [crashes, tests] = await Promise.all([
    summarizeCrashesOf(context, ids),
    summarizeTestsOf(context, ids, Date.now()),
  ])
  return {
    items: ids.flatMap((id) => {
      // An application may have been deleted in between.
      const ofTests = tests.get(id)
      return ofTests ? [{ applicationId: id, ...requireKey(crashes, id), ...ofTests }] : []
    }),
    ...rest,
  }
}
