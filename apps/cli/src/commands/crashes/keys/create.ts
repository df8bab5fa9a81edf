import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../../context.ts'
import { remoteFlags, type RemoteFlags, requiredAppFlag, textArgument } from '../../../flags.ts'
import type { Io } from '../../../io.ts'
import { requireApplication } from '../../../lookups/application.ts'
import { writeFields, writeResult } from '../../../output/write.ts'
import { openSession } from '../../../settings/session.ts'

interface Flags extends RemoteFlags {
  readonly app: string
}

export const command = buildCommand<Flags, [name: string], CliContext>({
  docs: { brief: 'Create a key that apps send their crashes with' },
  parameters: {
    positional: { kind: 'tuple', parameters: [textArgument('Name of the key', 'name')] },
    flags: {
      app: requiredAppFlag,
      ...remoteFlags,
    },
  },
  func(flags, name) {
    return createKey(this.io, flags, name)
  },
})

async function createKey(io: Io, flags: Flags, name: string): Promise<void> {
  const { client } = await openSession(io, flags)
  const application = await requireApplication(io, client, flags.app)
  const key = await client.crashes.createKey(application.id, name)
  writeResult(io, flags.json, key, () =>
    writeFields(io, [
      ['Key', `${key.id}, ${key.key}`],
      ['Sentry DSN', key.sentryDsn],
      ['App Center', key.appCenterLogUrl],
      ['ACRA', key.acraUrl],
    ]),
  )
}
