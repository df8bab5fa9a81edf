import { buildCommand } from '@stricli/core'
import { CliError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { jsonFlag, type JsonFlag } from '../flags.ts'
import type { Io } from '../io.ts'
import { writeLine, writeResult } from '../output/write.ts'
import { readLogins, saveLogins } from '../settings/logins.ts'

export const command = buildCommand<JsonFlag, [name?: string], CliContext>({
  docs: { brief: 'Forget a login; the token itself stays valid until it is revoked' },
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
  if (!servers.some((login) => login.name === name)) {
    throw new CliError('notFound', name === null ? 'Nobody is logged in' : `There is no login named "${name}"`)
  }
  const rest = servers.filter((login) => login.name !== name)
  await saveLogins(io, { current: current === name ? (rest.at(-1)?.name ?? null) : current, servers: rest })
  writeResult(io, json, { name, forgotten: true }, () => writeLine(io, `Forgot the login "${name}"`))
}
