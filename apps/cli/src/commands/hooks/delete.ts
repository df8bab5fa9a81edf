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
  docs: { brief: 'Delete a hook with its log; what waits is not sent' },
  parameters: {
    positional: { kind: 'tuple', parameters: [idArgument('Id of the hook')] },
    flags: { yes: switchFlag('Do not ask'), ...remoteFlags },
  },
  func(flags, id) {
    return deleteHook(this.io, flags, id)
  },
})

async function deleteHook(io: Io, flags: Flags, id: number): Promise<void> {
  const { client } = await openSession(io, flags)
  const hook = await client.hooks.get(id, { signal: io.signal })
  await confirmLoss(io, flags.yes, `Delete the hook ${toShownLine(hook.name)}?`)
  await client.hooks.delete(id, { signal: io.signal })
  writeResult(io, flags.json, hook, () => writeLine(io, `Deleted the hook ${toShownLine(hook.name)}`))
}
