import { RequestError } from '@fairlead/client'
import { buildCommand } from '@stricli/core'
import { CliError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { jsonFlag, type JsonFlag } from '../flags.ts'
import type { Io } from '../io.ts'
import { writeLine, writeResult, writeWarning } from '../output/write.ts'
import { type Login, readLogins, saveLogins } from '../settings/logins.ts'
import { openClient } from '../settings/session.ts'

export const command = buildCommand<JsonFlag, [name?: string], CliContext>({
  docs: { brief: 'Forget a login, and revoke the token that "login --web" made; others stay valid' },
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [{ brief: 'Name of the login', placeholder: 'name', parse: String, optional: true }],
    },
    flags: jsonFlag,
  },
  func(flags, name) {
    return logOut(this.io, flags, name)
  },
})

async function logOut(io: Io, { json }: JsonFlag, given: string | undefined): Promise<void> {
  const { current, servers } = await readLogins(io)
  const name = given ?? current
  const left = servers.find((login) => login.name === name)
  if (!left) {
    throw new CliError('notFound', name === null ? 'Nobody is logged in' : `There is no login named "${name}"`)
  }
  const rest = servers.filter((login) => login.name !== name)
  await saveLogins(io, { current: current === name ? (rest.at(-1)?.name ?? null) : current, servers: rest })
  const revoked = left.isOwn === true && (await revoke(io, left))
  writeResult(io, json, { name: left.name, forgotten: true, revoked }, () =>
    writeLine(io, `Forgot the login "${left.name}"${revoked ? ' and revoked its token' : ''}`),
  )
}

/** The login is forgotten already, so a server that does not answer is only told of. */
async function revoke(io: Io, login: Login): Promise<boolean> {
  try {
    const client = openClient(io, login)
    await client.logins.revokeCaller({ signal: io.signal })
    return true
  } catch (error) {
    // The token has expired, or somebody revoked it.
    if (error instanceof RequestError && error.httpStatus === 401) return false
    if (!(error instanceof RequestError)) throw error
    writeWarning(io, `the token was not revoked (${error.detail}); revoke it in the dashboard under "API tokens"`)
    return false
  }
}
