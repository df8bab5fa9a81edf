import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { idArgument, remoteFlags, type RemoteFlags, switchFlag } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { confirmLoss } from '../../output/confirm.ts'
import { toShownLine } from '../../output/shown-text.ts'
import { writeLine, writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

interface Flags extends RemoteFlags {
  readonly yes: boolean
}

export const command = buildCommand<Flags, [id: number], CliContext>({
  docs: { brief: 'Give a latest link a new address; the old one ends' },
  parameters: {
    positional: { kind: 'tuple', parameters: [idArgument('Id of the link')] },
    flags: { yes: switchFlag('Do not ask'), ...remoteFlags },
  },
  func(flags, id) {
    return renewLink(this.io, flags, id)
  },
})

async function renewLink(io: Io, flags: Flags, id: number): Promise<void> {
  const { client } = await openSession(io, flags)
  const { name } = await client.latestLinks.get(id, { signal: io.signal })
  await confirmLoss(io, flags.yes, `End the address of the link ${toShownLine(name)}?`)
  const link = await client.latestLinks.renew(id, { signal: io.signal })
  writeResult(io, flags.json, link, () => writeLine(io, toShownLine(link.url)))
}
