import type { AppContext } from '../context.ts'
import { hashSecret } from '../api-tokens/secret.ts'
import type { Db } from '../db/open.ts'
import { day } from './workspace.ts'

const defaultLinkLifetime = 90 * day

export async function createWorkspace(db: Db, name: string): Promise<number> {
  const { id } = await db
    .insertInto('workspaces')
    .values({ name, link_lifetime_ms: defaultLinkLifetime, created_at: Date.now() })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Creates a workspace with the account as its administrator. */
export async function createWorkspaceOf(trx: Db, accountId: number, name: string): Promise<number> {
  const workspaceId = await createWorkspace(trx, name)
  await trx
    .insertInto('members')
    .values({ workspace_id: workspaceId, account_id: accountId, role: 'admin', created_at: Date.now() })
    .execute()
  return workspaceId
}

/** Returns whether this transaction may create the first workspace. */
export async function claimFirstWorkspace(trx: Db): Promise<boolean> {
  // Inserting this row is the claim: of replicas that start at the same time, only one succeeds.
  const first = await trx
    .insertInto('settings')
    .values({ key: 'initial-workspace', value: 'made' })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .returning('key')
    .executeTakeFirst()
  const anyWorkspace = await trx.selectFrom('workspaces').select('id').limit(1).executeTakeFirst()
  return first !== undefined && anyWorkspace === undefined
}

/** Creates the workspace `default` with an administrator token on the first start with `FAIRLEAD_INITIAL_API_TOKEN`. */
export async function createInitialWorkspace({ db, config }: Pick<AppContext, 'db' | 'config'>): Promise<void> {
  const token = config.initialApiToken
  if (token === null) return
  await db.transaction().execute(async (trx) => {
    if (!(await claimFirstWorkspace(trx))) return
    await trx
      .insertInto('api_tokens')
      .values({
        workspace_id: await createWorkspace(trx, 'default'),
        name: 'initial token',
        role: 'admin',
        token_hash: hashSecret(token),
        created_at: Date.now(),
      })
      .execute()
  })
}
