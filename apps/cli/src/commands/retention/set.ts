import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { remoteFlags, type RemoteFlags, textArgument } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { requireApplication } from '../../lookups/application.ts'
import { formatInstant } from '../../output/units.ts'
import { writeLine, writeResult } from '../../output/write.ts'
import { readRules } from '../../retention/rules.ts'
import { openSession } from '../../settings/session.ts'

interface Flags extends RemoteFlags {
  readonly app: string
}

export const command = buildCommand<Flags, [file: string], CliContext>({
  docs: { brief: 'Set the rules that remove old builds of an application, from a JSON file' },
  parameters: {
    positional: { kind: 'tuple', parameters: [textArgument('File with the rules, - for standard input', 'file')] },
    flags: {
      app: { kind: 'parsed', parse: String, brief: 'Alias of the application', placeholder: 'alias' },
      ...remoteFlags,
    },
  },
  func(flags, file) {
    return setRetention(this.io, flags, file)
  },
})

async function setRetention(io: Io, flags: Flags, file: string): Promise<void> {
  const rules = await readRules(io, file)
  const { client } = await openSession(io, flags)
  const application = await requireApplication(io, client, flags.app)
  const saved = await client.retention.save(application.id, rules, { signal: io.signal })
  writeResult(io, flags.json, saved, () =>
    writeLine(io, saved.nextRunDate === null ? 'Saved, and off' : `Saved; runs ${formatInstant(saved.nextRunDate)}`),
  )
}
