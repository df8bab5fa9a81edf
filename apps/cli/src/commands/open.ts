import { buildCommand } from '@stricli/core'
import type { CliContext } from '../context.ts'
import { appFlag, remoteFlags, type RemoteFlags, switchFlag } from '../flags.ts'
import type { Io } from '../io.ts'
import { requireApplication } from '../lookups/application.ts'
import { openAddress } from '../output/open-address.ts'
import { openSession } from '../settings/session.ts'

interface Flags extends RemoteFlags {
  readonly app?: string
  readonly build?: number
  readonly print: boolean
}

export const command = buildCommand<Flags, [], CliContext>({
  docs: { brief: 'Open the dashboard, an application, or the install page of a build in a browser' },
  parameters: {
    flags: {
      app: appFlag,
      build: { kind: 'parsed', parse: Number, brief: 'Id of a build', optional: true, placeholder: 'id' },
      print: switchFlag('Only print the address'),
      ...remoteFlags,
    },
  },
  func(flags) {
    return openPage(this.io, flags)
  },
})

async function openPage(io: Io, flags: Flags): Promise<void> {
  const url = await findPage(io, flags)
  await openAddress(io, flags, url)
}

async function findPage(io: Io, flags: Flags): Promise<string> {
  const { url, client } = await openSession(io, flags)
  if (flags.build !== undefined) return (await client.builds.get(flags.build, { signal: io.signal })).installUrl
  if (flags.app === undefined) return url
  const { id } = await requireApplication(io, client, flags.app)
  return `${url}/applications/${id}`
}
