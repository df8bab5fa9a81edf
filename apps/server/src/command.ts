/**
 * Commands for the person who runs the server, on its machine and with its settings. They may run beside the server.
 *
 *     node apps/server/src/command.ts reset-password ada@example.com
 */
import pino from 'pino'
import { findAccountByEmail } from './accounts/find.ts'
import { ConfigError, readConfig } from './config.ts'
import { type Db, openDatabase } from './db/open.ts'
import { requireInstallation } from './moving/require-installation.ts'
import { createResetUrl } from './password-resets/send.ts'
import { forgetLostSecrets } from './secrets/forget.ts'
import { grantServerAdmin } from './server-admin/grant.ts'
import { listLostWorkspaces, repairWorkspace } from './server-admin/repair-workspaces.ts'

const usage = `Usage: npm run operator -- <command> [<e-mail address>] [<workspace>]

  reset-password           prints a link that sets a new password, once and within an hour
  grant-server-admin       lets the account see all accounts and workspaces of the server
  revoke-server-admin      takes that away
  make-admin               makes the account an administrator of the workspace with the given id
  workspaces-without-admin lists the workspaces that no person administrates; takes no address
  forget-secrets           gives up what was encrypted with a key that FAIRLEAD_SECRETS_KEY lacks; takes no address
`

async function runCommand(name?: string, email?: string, workspace?: string): Promise<number> {
  if (name === 'forget-secrets' && email === undefined) return forgetSecrets()
  if (name === 'workspaces-without-admin' && email === undefined) return printWorkspacesWithoutAdmin()
  const isOfServer = name === 'reset-password' || name === 'grant-server-admin' || name === 'revoke-server-admin'
  const isOfWorkspace = name === 'make-admin' && /^[1-9]\d{0,14}$/.test(workspace ?? '')
  if (email === undefined || !(isOfWorkspace || (isOfServer && workspace === undefined))) {
    console.error(usage)
    return 2
  }
  const config = readConfig(process.env)
  requireInstallation(config)
  const { db } = await openDatabase(config)
  try {
    const account = await findAccountByEmail({ db }, email)
    if (!account) {
      console.error(`No account has the e-mail address ${email}`)
      return 1
    }
    if (name === 'reset-password') console.log(await createResetUrl({ db, config }, account))
    else if (isOfWorkspace) return await makeAdmin(db, account, Number(workspace))
    else await grantServerAdmin(db, email, name === 'grant-server-admin')
    return 0
  } finally {
    await db.destroy()
  }
}

async function makeAdmin(db: Db, account: { id: number; email: string }, workspaceId: number): Promise<number> {
  const log = pino({ level: 'warn' }, pino.destination(2))
  const name = await repairWorkspace({ db, log }, workspaceId, account)
  if (name === undefined) {
    console.error(`No workspace has the id ${workspaceId}`)
    return 1
  }
  console.log(`${account.email} is an administrator of ${name}`)
  return 0
}

async function printWorkspacesWithoutAdmin(): Promise<number> {
  const config = readConfig(process.env)
  requireInstallation(config)
  const { db } = await openDatabase(config)
  try {
    for (const { id, name } of await listLostWorkspaces(db)) console.log(`${id}\t${name}`)
    return 0
  } finally {
    await db.destroy()
  }
}

async function forgetSecrets(): Promise<number> {
  const config = readConfig(process.env)
  requireInstallation(config)
  const { db } = await openDatabase(config)
  try {
    const { hookCount, accountCount } = await forgetLostSecrets(db, config)
    console.log(`${hookCount} hooks were turned off, and ${accountCount} accounts have lost their authenticator app`)
    return 0
  } finally {
    await db.destroy()
  }
}

try {
  process.exitCode = await runCommand(...process.argv.slice(2, 5))
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error)
  process.exitCode = 1
}
