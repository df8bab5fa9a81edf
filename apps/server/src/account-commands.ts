/** The commands of `fairlead-server` on accounts and workspaces, which may run beside the server. */
import pino from 'pino'
import { findAccountByEmail } from './accounts/find.ts'
import type { Config } from './config.ts'
import { type Db, openDatabase } from './db/open.ts'
import type { Output } from './moving/command.ts'
import { requireInstallation } from './moving/require-installation.ts'
import { createResetUrl } from './password-resets/send.ts'
import { forgetLostSecrets } from './secrets/forget.ts'
import { grantServerAdmin } from './server-admin/grant.ts'
import { listLostWorkspaces, repairWorkspace } from './server-admin/repair-workspaces.ts'

/** Runs a command and returns its exit code: 2 if its words are wrong. The number of arguments is right. */
export async function runAccountCommand(
  name: string,
  [email = '', workspace = '']: readonly string[],
  config: Config,
  output: Output,
): Promise<number> {
  if (name === 'make-admin' && !/^[1-9]\d{0,14}$/.test(workspace)) return 2
  requireInstallation(config)
  const { db } = await openDatabase(config)
  try {
    if (name === 'workspaces-without-admin') return await listWithoutAdmin(db, output)
    if (name === 'forget-secrets') return await forgetSecrets(db, config, output)
    const account = await findAccountByEmail({ db }, email)
    if (!account) {
      output.error(`No account has the e-mail address ${email}`)
      return 1
    }
    if (name === 'reset-password') output.write(await createResetUrl({ db, config }, account))
    else if (name === 'make-admin') return await makeAdmin(db, account, Number(workspace), output)
    else await grantServerAdmin(db, email, name === 'grant-server-admin')
    return 0
  } finally {
    await db.destroy()
  }
}

async function makeAdmin(
  db: Db,
  account: { id: number; email: string },
  workspaceId: number,
  output: Output,
): Promise<number> {
  const log = pino({ level: 'warn' }, pino.destination(2))
  const name = await repairWorkspace({ db, log }, workspaceId, account)
  if (name === undefined) {
    output.error(`No workspace has the id ${workspaceId}`)
    return 1
  }
  output.write(`${account.email} is an administrator of ${name}`)
  return 0
}

async function listWithoutAdmin(db: Db, output: Output): Promise<number> {
  for (const { id, name } of await listLostWorkspaces(db)) output.write(`${id}\t${name}`)
  return 0
}

async function forgetSecrets(db: Db, config: Config, output: Output): Promise<number> {
  const { hookCount, accountCount } = await forgetLostSecrets(db, config)
  output.write(`${hookCount} hooks were turned off, and ${accountCount} accounts have lost their authenticator app`)
  return 0
}
