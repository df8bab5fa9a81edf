import { RequestError, type SignInOptions } from '@fairlead/client'
import { buildCommand } from '@stricli/core'
import type { CliContext } from '../context.ts'
import { remoteFlags, type RemoteFlags } from '../flags.ts'
import type { Io } from '../io.ts'
import { formatInstant } from '../output/units.ts'
import { writeFields, writeResult } from '../output/write.ts'
import { readLogins } from '../settings/logins.ts'
import { openSession } from '../settings/session.ts'

export const command = buildCommand<RemoteFlags, [], CliContext>({
  docs: { brief: 'Show the server, the workspace, the role, and where the token comes from' },
  parameters: { flags: remoteFlags },
  func(flags) {
    return showSession(this.io, flags)
  },
})

async function showSession(io: Io, flags: RemoteFlags): Promise<void> {
  const { client, url, loginName, tokenSource } = await openSession(io, flags)
  const workspace = await client.workspace.get({ signal: io.signal })
  const caller = await orUndefined(client.logins.getCaller({ signal: io.signal }))
  const options = (await orUndefined(client.access.getSignInOptions({ signal: io.signal }))) ?? onlyPasswords
  const { servers } = await readLogins(io)
  const others = servers.filter(({ name }) => name !== loginName).map(({ name }) => name)
  const result = {
    url,
    workspace: workspace.name,
    role: caller?.role ?? null,
    token: caller?.name ?? null,
    account: caller?.account?.email ?? null,
    expirationDate: caller?.expirationDate ?? null,
    login: loginName,
    signedInBy: 'token',
    tokenSource,
    signInOptions: options,
    requiredProvider: workspace.requiredProvider ?? null,
    otherLogins: others,
  }
  writeResult(io, flags.json, result, () =>
    writeFields(io, [
      ['Server', url],
      ['Workspace', workspace.name],
      ['Role', result.role],
      ['Account', result.account],
      ['Signed in by', 'API token'],
      ['Token', result.token],
      ['Token from', tokenSource],
      ['Token expires', result.expirationDate === null ? null : formatInstant(result.expirationDate)],
      ['People sign in by', describeWays(options, workspace.requiredProvider ?? null)],
      ['Other logins', others.join(', ')],
    ]),
  )
}

const onlyPasswords: SignInOptions = { passwords: 'on', providers: [] }

/** Servers of earlier versions do not know all that is asked here. */
async function orUndefined<Answer>(asked: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof RequestError && error.httpStatus === 404) return undefined
    throw error
  }
}

function describeWays({ passwords, providers }: SignInOptions, required: string | null): string {
  const names = providers.map(({ key, name }) => (key === required ? `${name} (required in this workspace)` : name))
  const byPassword = passwords === 'on' ? 'password' : 'password for administrators of the server'
  return [...names, byPassword].join(', ')
}
