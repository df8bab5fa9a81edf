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
  docs: { brief: 'Delete feedback with its pictures' },
  parameters: {
    positional: { kind: 'tuple', parameters: [idArgument('Id of the feedback')] },
    flags: { yes: switchFlag('Do not ask'), ...remoteFlags },
  },
  func(flags, id) {
    return deleteFeedback(this.io, flags, id)
  },
})

async function deleteFeedback(io: Io, flags: Flags, id: number): Promise<void> {
  const { client } = await openSession(io, flags)
  await confirmLoss(io, flags.yes, `Delete feedback ${id} with its pictures?`)
  await client.feedback.remove(id, { signal: io.signal })
  writeResult(io, flags.json, { id, deleted: true }, () => writeLine(io, `Deleted feedback ${id}`))
}
