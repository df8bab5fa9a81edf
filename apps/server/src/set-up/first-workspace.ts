import { createApiToken } from '../api-tokens/create.ts'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/open.ts'
import { createWorkspace } from '../workspaces/create.ts'
import { hasWorkspace } from '../workspaces/find.ts'
import { insertFirstWorkspaceMark } from './store.ts'

/** Whether this transaction is the one that makes the first workspace. */
export async function claimFirstWorkspace(trx: Db): Promise<boolean> {
  return (await insertFirstWorkspaceMark(trx)) && !(await hasWorkspace(trx))
}

/** On the first start with `FAIRLEAD_INITIAL_API_TOKEN`: the workspace `default`, with that token as its administrator. */
export async function createInitialWorkspace({ db, config }: Pick<AppContext, 'db' | 'config'>): Promise<void> {
  const token = config.initialApiToken
  if (token === null) return
  await db.transaction().execute(async (trx) => {
    if (!(await claimFirstWorkspace(trx))) return
    const workspaceId = await createWorkspace(trx, 'default')
    await createApiToken({ db: trx }, workspaceId, { name: 'initial token', role: 'admin' }, token)
  })
}
