import { ApiError, type CreatedApiToken, type SetUp } from '@fairlead/contract'
import type { AccountRow } from '../accounts/account.ts'
import type { Passwords } from '../accounts/passwords.ts'
import { insertAccount } from '../accounts/store.ts'
import { createApiToken } from '../api-tokens/create.ts'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/open.ts'
import { type StartedSession, startSession } from '../sessions/start.ts'
import { claimFirstWorkspace, createWorkspaceOf } from '../workspaces/create.ts'
import { deleteSetUpCodes, isSetUpCode } from './code.ts'

/**
 * Creates the first account, its workspace and a first API token. It works only once per installation.
 *
 * @throws {ApiError} alreadySetUp, setUpCodeNotFound
 */
export async function setUp(
  context: Pick<AppContext, 'db' | 'linkKey'> & { passwords: Passwords },
  input: SetUp,
): Promise<{ started: StartedSession; apiToken: CreatedApiToken }> {
  const { db, passwords } = context
  if (await db.selectFrom('workspaces').select('id').limit(1).executeTakeFirst()) throw new ApiError('alreadySetUp')
  if (!(await isSetUpCode(db, input.code))) throw new ApiError('setUpCodeNotFound')
  const passwordHash = await passwords.hash(input.password)
  const { account, apiToken } = await db.transaction().execute((trx) => makeFirst(trx, input, passwordHash))
  return { started: await startSession(context, account, undefined), apiToken }
}

async function makeFirst(
  trx: Db,
  { email, name, workspaceName }: SetUp,
  passwordHash: string,
): Promise<{ account: AccountRow; apiToken: CreatedApiToken }> {
  if (!(await claimFirstWorkspace(trx))) throw new ApiError('alreadySetUp')
  await deleteSetUpCodes(trx)
  const account = await insertAccount(trx, { email, name, passwordHash })
  const workspaceId = await createWorkspaceOf(trx, account.id, workspaceName)
  const apiToken = await createApiToken({ db: trx }, workspaceId, { name: 'First token', role: 'admin' })
  return { account, apiToken }
}
