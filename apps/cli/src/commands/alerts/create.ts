import { buildCommand } from '@stricli/core'
import { type AlertKind, alertKinds, readRuleFlags, type RuleFlags, ruleFlags } from '../../alerts/rule-flags.ts'
import type { CliContext } from '../../context.ts'
import { remoteFlags, type RemoteFlags, requiredAppFlag, textArgument } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { requireApplication } from '../../lookups/application.ts'
import { writeFields, writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

interface Flags extends RemoteFlags, RuleFlags {
  readonly app: string
  readonly kind: AlertKind
}

export const command = buildCommand<Flags, [name: string], CliContext>({
  docs: { brief: 'Create an alert rule' },
  parameters: {
    positional: { kind: 'tuple', parameters: [textArgument('Name of the rule', 'name')] },
    flags: {
      app: requiredAppFlag,
      kind: { kind: 'enum', values: alertKinds, brief: 'What it watches' },
      ...ruleFlags,
      ...remoteFlags,
    },
  },
  func(flags, name) {
    return createRule(this.io, flags, name)
  },
})

async function createRule(io: Io, flags: Flags, name: string): Promise<void> {
  const { client } = await openSession(io, flags)
  const application = await requireApplication(io, client, flags.app)
  const fields = await readRuleFlags(io, client, flags)
  const body = { ...fields, name, kind: flags.kind }
  const rule = await client.alerts.createRule(application.id, body, { signal: io.signal })
  writeResult(io, flags.json, rule, () => writeFields(io, [['Rule', rule.id]]))
}
