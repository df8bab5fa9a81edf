import { buildCommand } from '@stricli/core'
import { CliError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import type { Io } from '../io.ts'
import { writeLine } from '../output/write.ts'
import { readLogins, saveLogins } from '../settings/logins.ts'

export const command = buildCommand<Record<never, never>, [name?: string], CliContext>({
  docs: { brief: 'Forget a login; the token itself stays valid until it is revoked' },
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [{ brief: 'Name of the login', placeholder: 'name', parse: String, optional: true }],
    },
  },
  func(_flags, name) {
    return logOut(this.io, name)
  },
})

async function logOut(io: Io, given: string | undefined): Promise<void> {
  const { current, servers } = await readLogins(io)
  const name = given ?? current
  if (!servers.some((login) => login.name === name)) {
    throw new CliError('notFound', name === null ? 'Nobody is logged in' : `There is no login named "${name}"`)
  }
  const rest = servers.filter((login) => login.name !== name)
  await saveLogins(io, { current: current === name ? (rest.at(-1)?.name ?? null) : current, servers: rest })
  writeLine(io, `Forgot the login "${name}"`)
}
