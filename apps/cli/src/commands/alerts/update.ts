import { buildCommand } from '@stricli/core'
import { readRuleFlags, type RuleFlags, ruleFlags } from '../../alerts/rule-flags.ts'
import { CliError } from '../../cli-error.ts'
import type { CliContext } from '../../context.ts'
import { idArgument, remoteFlags, type RemoteFlags, switchFlag, textFlag } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { toShownLine } from '../../output/shown-text.ts'
import { writeLine, writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

interface Flags extends RemoteFlags, RuleFlags {
  readonly name?: string
  readonly on: boolean
  readonly off: boolean
}

export const command = buildCommand<Flags, [id: number], CliContext>({
  docs: { brief: 'Change an alert rule, or turn it on or off; lists of hooks, members and roles are replaced' },
  parameters: {
    positional: { kind: 'tuple', parameters: [idArgument('Id of the rule')] },
    flags: {
      name: textFlag('Another name', 'name'),
      on: switchFlag('Turn it on'),
      off: switchFlag('Turn it off'),
      ...ruleFlags,
      ...remoteFlags,
    },
  },
  func(flags, id) {
    return updateRule(this.io, flags, id)
  },
})

async function updateRule(io: Io, flags: Flags, id: number): Promise<void> {
  const { name, on, off } = flags
  if (on && off) throw new CliError('usage', '--on and --off exclude each other')
  const { client } = await openSession(io, flags)
  const fields = await readRuleFlags(io, client, flags)
  const changes = { ...fields, ...(name !== undefined && { name }), ...((on || off) && { isEnabled: on }) }
  if (Object.keys(changes).length === 0) throw new CliError('usage', 'Say what to change')
  const rule = await client.alerts.updateRule(id, changes, { signal: io.signal })
  writeResult(io, flags.json, rule, () => writeLine(io, `Changed the rule ${toShownLine(rule.name)}`))
}
