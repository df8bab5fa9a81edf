import { createApiToken } from '../api-tokens/create.ts'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/open.ts'
import { createWorkspace } from '../workspaces/create.ts'
import { hasWorkspace } from '../workspaces/find.ts'
import { insertFirstWorkspaceMark } from './store.ts'
import { transact } from '../db/transact.ts'

/** Returns whether this transaction is the one that creates the first workspace. */
export async function claimFirstWorkspace(trx: Db): Promise<boolean> {
  return (await insertFirstWorkspaceMark(trx)) && !(await hasWorkspace(trx))
}

/** Creates the workspace `default` with the token in `FAIRLEAD_INITIAL_API_TOKEN`, on the first start that has one. */
export async function createInitialWorkspace({ db, config }: Pick<AppContext, 'db' | 'config'>): Promise<void> {
  const token = config.initialApiToken
  if (token === null) return
  await transact(db, async (trx) => {
    if (!(await claimFirstWorkspace(trx))) return
    const workspaceId = await createWorkspace(trx, 'default')
    await createApiToken({ db: trx }, workspaceId, { name: 'initial token', role: 'admin' }, { token })
  })
}
