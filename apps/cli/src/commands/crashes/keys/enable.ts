import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../../context.ts'
import { idArgument, remoteFlags, type RemoteFlags } from '../../../flags.ts'
import type { Io } from '../../../io.ts'
import { requireApplication } from '../../../lookups/application.ts'
import { toShownLine } from '../../../output/shown-text.ts'
import { writeLine, writeResult } from '../../../output/write.ts'
import { openSession } from '../../../settings/session.ts'

interface Flags extends RemoteFlags {
  readonly app: string
}

export const command = buildCommand<Flags, [id: number], CliContext>({
  docs: { brief: 'Accept crashes with a key again' },
  parameters: {
    positional: { kind: 'tuple', parameters: [idArgument('Id of the key')] },
    flags: {
      app: { kind: 'parsed', parse: String, brief: 'Alias of the application', placeholder: 'alias' },
      ...remoteFlags,
    },
  },
  func(flags, id) {
    return enableKey(this.io, flags, id)
  },
})

async function enableKey(io: Io, flags: Flags, id: number): Promise<void> {
  const { client } = await openSession(io, flags)
  const application = await requireApplication(io, client, flags.app)
  const key = await client.crashes.updateKey(application.id, id, { isEnabled: true })
  writeResult(io, flags.json, key, () => writeLine(io, toShownLine(`Enabled the key ${key.name}`)))
}
