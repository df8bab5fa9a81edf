import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { idArgument, remoteFlags, type RemoteFlags, switchFlag } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { openAddress } from '../../output/open-address.ts'
import { openSession } from '../../settings/session.ts'

interface Flags extends RemoteFlags {
  readonly print: boolean
}

export const command = buildCommand<Flags, [id: number], CliContext>({
  docs: { brief: 'Open the page of a latest link in a browser' },
  parameters: {
    positional: { kind: 'tuple', parameters: [idArgument('Id of the link')] },
    flags: { print: switchFlag('Only print the address'), ...remoteFlags },
  },
  func(flags, id) {
    return openLink(this.io, flags, id)
  },
})

async function openLink(io: Io, flags: Flags, id: number): Promise<void> {
  const { client } = await openSession(io, flags)
  const { url } = await client.latestLinks.get(id, { signal: io.signal })
  await openAddress(io, flags, url)
}
