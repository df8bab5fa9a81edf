import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../../context.ts'
import { remoteFlags, type RemoteFlags, requiredAppFlag } from '../../../flags.ts'
import type { Io } from '../../../io.ts'
import { requireApplication } from '../../../lookups/application.ts'
import { writeTable } from '../../../output/table.ts'
import { formatInstant } from '../../../output/units.ts'
import { writeResult } from '../../../output/write.ts'
import { openSession } from '../../../settings/session.ts'

interface Flags extends RemoteFlags {
  readonly app: string
}

export const command = buildCommand<Flags, [], CliContext>({
  docs: { brief: 'List the keys that apps send their crashes with' },
  parameters: {
    flags: {
      app: requiredAppFlag,
      ...remoteFlags,
    },
  },
  func(flags) {
    return listKeys(this.io, flags)
  },
})

async function listKeys(io: Io, flags: Flags): Promise<void> {
  const { client } = await openSession(io, flags)
  const application = await requireApplication(io, client, flags.app)
  const keys = await client.crashes.listKeys(application.id)
  writeResult(io, flags.json, keys, () =>
    writeTable(io, keys, [
      { title: 'ID', value: ({ id }) => id, align: 'right' },
      { title: 'NAME', value: ({ name }) => name },
      { title: 'STATE', value: ({ isEnabled }) => (isEnabled ? 'enabled' : 'disabled') },
      { title: 'LAST USED', value: ({ lastUsedDate }) => lastUsedDate && formatInstant(lastUsedDate) },
      { title: 'SENTRY DSN', value: ({ sentryDsn }) => sentryDsn },
    ]),
  )
}
