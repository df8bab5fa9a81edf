import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { remoteFlags, type RemoteFlags, requiredAppFlag } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { requireApplication } from '../../lookups/application.ts'
import { writeTable } from '../../output/table.ts'
import { formatInstant } from '../../output/units.ts'
import { writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

interface Flags extends RemoteFlags {
  readonly app: string
}

const shown = 50

export const command = buildCommand<Flags, [], CliContext>({
  docs: { brief: 'List what the alert rules of an application told of lately' },
  parameters: { flags: { app: requiredAppFlag, ...remoteFlags } },
  func(flags) {
    return listFired(this.io, flags)
  },
})

async function listFired(io: Io, flags: Flags): Promise<void> {
  const { client } = await openSession(io, flags)
  const application = await requireApplication(io, client, flags.app)
  const { items } = await client.alerts.listFired(application.id, { limit: shown }, { signal: io.signal })
  writeResult(io, flags.json, items, () =>
    writeTable(io, items, [
      { title: 'FIRED', value: ({ firedDate }) => formatInstant(firedDate) },
      { title: 'ALERT', value: ({ title }) => title },
      { title: 'RULE', value: ({ ruleName }) => ruleName },
      { title: 'DETAIL', value: ({ detail }) => detail },
    ]),
  )
}
