/**
 * Commands for the person who runs the server, on its machine and with its settings. They may run beside the server.
 *
 *     node apps/server/src/command.ts reset-password ada@example.com
 */
import { findAccountByEmail } from './accounts/find.ts'
import { ConfigError, readConfig } from './config.ts'
import { openDatabase } from './db/open.ts'
import { requireInstallation } from './moving/require-installation.ts'
import { createResetUrl } from './password-resets/send.ts'
import { grantServerAdmin } from './server-admin/grant.ts'

const usage = `Usage: npm run operator -- <command> <e-mail address>

  reset-password       prints a link that sets a new password, once and within an hour
  grant-server-admin   lets the account see all accounts and workspaces of the server
  revoke-server-admin  takes that away
`

async function runCommand(name: string | undefined, email: string | undefined): Promise<number> {
  const isKnown = name === 'reset-password' || name === 'grant-server-admin' || name === 'revoke-server-admin'
  if (!isKnown || email === undefined) {
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
    else await grantServerAdmin(db, email, name === 'grant-server-admin')
    return 0
  } finally {
    await db.destroy()
  }
}

try {
  process.exitCode = await runCommand(process.argv[2], process.argv[3])
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error)
  process.exitCode = 1
}
