import { ApiError, type CreatedApiToken, type SetUp } from '@fairlead/contract'
import type { AccountRow } from '../accounts/account.ts'
import { createAccount } from '../accounts/create.ts'
import { createApiToken } from '../api-tokens/create.ts'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/open.ts'
import { type Client, type StartedSession, startSession } from '../sessions/start.ts'
import { createWorkspaceOf } from '../workspaces/create.ts'
import { hasWorkspace } from '../workspaces/find.ts'
import { isSetUpCode } from './code.ts'
import { claimFirstWorkspace } from './first-workspace.ts'
import { deleteSetUpCodes } from './store.ts'
import { transact } from '../db/transact.ts'

/**
 * Creates the first account, its workspace and a first API token. It works only once per installation.
 *
 * @throws {ApiError} alreadySetUp, setUpCodeNotFound
 */
export async function setUp(
  context: Pick<AppContext, 'db' | 'config' | 'signingKey' | 'guard'>,
  input: SetUp,
  client: Client,
): Promise<{ started: StartedSession; apiToken: CreatedApiToken }> {
  const { db, guard } = context
  if (await hasWorkspace(db)) throw new ApiError('alreadySetUp')
  if (!(await isSetUpCode(db, input.code))) throw new ApiError('setUpCodeNotFound')
  const passwordHash = await guard.passwords.hash(input.password)
  const { account, apiToken } = await transact(db, (trx) => makeFirst(trx, input, passwordHash))
  return { started: await startSession(context, account, client), apiToken }
}

async function makeFirst(
  trx: Db,
  { email, name, workspaceName }: SetUp,
  passwordHash: string,
): Promise<{ account: AccountRow; apiToken: CreatedApiToken }> {
  if (!(await claimFirstWorkspace(trx))) throw new ApiError('alreadySetUp')
  await deleteSetUpCodes(trx)
  const account = await createAccount(trx, { email, name, passwordHash, isVerified: true, isServerAdmin: true })
  const workspaceId = await createWorkspaceOf(trx, account.id, workspaceName)
  const apiToken = await createApiToken(
    { db: trx },
    workspaceId,
    { name: 'First token', role: 'admin' },
    { createdBy: name, accountId: account.id },
  )
  return { account, apiToken }
}
