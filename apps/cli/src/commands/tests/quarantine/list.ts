import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../../context.ts'
import { remoteFlags, type RemoteFlags, requiredAppFlag } from '../../../flags.ts'
import type { Io } from '../../../io.ts'
import { requireApplication } from '../../../lookups/application.ts'
import { writeTable } from '../../../output/table.ts'
import { formatInstant } from '../../../output/units.ts'
import { writeNote, writeResult } from '../../../output/write.ts'
import { openSession } from '../../../settings/session.ts'
import { toTestName } from '../../../test-runs/run-output.ts'

interface Flags extends RemoteFlags {
  readonly app: string
}

export const command = buildCommand<Flags, [], CliContext>({
  docs: { brief: 'List the quarantined tests of an application' },
  parameters: {
    flags: {
      app: requiredAppFlag,
      ...remoteFlags,
    },
  },
  func(flags) {
    return listQuarantined(this.io, flags)
  },
})

async function listQuarantined(io: Io, flags: Flags): Promise<void> {
  const { client } = await openSession(io, flags)
  const application = await requireApplication(io, client, flags.app)
  const { items: tests, total } = await client.tests.list(application.id, { state: 'quarantined', limit: 200 })
  writeResult(io, flags.json, tests, () => {
    writeTable(io, tests, [
      { title: 'ID', value: ({ id }) => id, align: 'right' },
      { title: 'TEST', value: toTestName },
      { title: 'UNTIL', value: ({ quarantine }) => quarantine && formatInstant(quarantine.expirationDate) },
      { title: 'REASON', value: ({ quarantine }) => quarantine?.reason ?? null },
    ])
    if (total > tests.length) writeNote(io, `and ${total - tests.length} more`)
  })
}
