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
  docs: { brief: 'Delete an alert rule; what it told of stays in the list' },
  parameters: {
    positional: { kind: 'tuple', parameters: [idArgument('Id of the rule')] },
    flags: { yes: switchFlag('Do not ask'), ...remoteFlags },
  },
  func(flags, id) {
    return deleteRule(this.io, flags, id)
  },
})

async function deleteRule(io: Io, flags: Flags, id: number): Promise<void> {
  const { client } = await openSession(io, flags)
  const rule = await client.alerts.getRule(id, { signal: io.signal })
  await confirmLoss(io, flags.yes, `Delete the alert rule ${toShownLine(rule.name)}?`)
  await client.alerts.deleteRule(id, { signal: io.signal })
  writeResult(io, flags.json, rule, () => writeLine(io, `Deleted the alert rule ${toShownLine(rule.name)}`))
}
