import { buildCommand } from '@stricli/core'
import type { CliContext } from '../context.ts'
import { remoteFlags, type RemoteFlags } from '../flags.ts'
import type { Io } from '../io.ts'
import { writeFields, writeResult } from '../output/write.ts'
import { readLogins } from '../settings/logins.ts'
import { openSession } from '../settings/session.ts'

export const command = buildCommand<RemoteFlags, [], CliContext>({
  docs: { brief: 'Show the server, the workspace, and where the token comes from' },
  parameters: { flags: remoteFlags },
  func(flags) {
    return showSession(this.io, flags)
  },
})

async function showSession(io: Io, flags: RemoteFlags): Promise<void> {
  const { client, url, loginName, tokenSource } = await openSession(io, flags)
  const workspace = await client.workspace.get({ signal: io.signal })
  const { servers } = await readLogins(io)
  const others = servers.filter(({ name }) => name !== loginName).map(({ name }) => name)
  const result = { url, workspace: workspace.name, login: loginName, tokenSource, otherLogins: others }
  writeResult(io, flags.json, result, () =>
    writeFields(io, [
      ['Server', url],
      ['Workspace', workspace.name],
      ['Token from', tokenSource],
      ['Other logins', others.join(', ')],
    ]),
  )
}
