import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { idArgument, remoteFlags, type RemoteFlags, switchFlag } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { confirmLoss } from '../../output/confirm.ts'
import { writeLine, writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

interface Flags extends RemoteFlags {
  readonly yes: boolean
}

export const command = buildCommand<Flags, [id: number], CliContext>({
  docs: { brief: 'Delete a latest link, and end the downloads that it allowed' },
  parameters: {
    positional: { kind: 'tuple', parameters: [idArgument('Id of the link')] },
    flags: { yes: switchFlag('Do not ask'), ...remoteFlags },
  },
  func(flags, id) {
    return deleteLink(this.io, flags, id)
  },
})

async function deleteLink(io: Io, flags: Flags, id: number): Promise<void> {
  const { client } = await openSession(io, flags)
  await confirmLoss(io, flags.yes, `Delete latest link ${id}?`)
  await client.latestLinks.remove(id, { signal: io.signal })
  writeResult(io, flags.json, { id, deleted: true }, () => writeLine(io, `Deleted latest link ${id}`))
}
