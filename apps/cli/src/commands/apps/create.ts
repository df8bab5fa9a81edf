import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { remoteFlags, type RemoteFlags, textArgument, textFlag } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { toShownLine } from '../../output/shown-text.ts'
import { writeLine, writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

interface Flags extends RemoteFlags {
  readonly platform: 'android' | 'ios'
  readonly name?: string
  readonly identifier?: string
}

export const command = buildCommand<Flags, [alias: string], CliContext>({
  docs: { brief: 'Create an application that builds can be uploaded to' },
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [textArgument('Alias by which uploads name it: a-z, 0-9 and hyphens', 'alias')],
    },
    flags: {
      platform: { kind: 'enum', values: ['android', 'ios'], brief: 'Platform of its builds' },
      name: textFlag('Name that people see; the alias unless given', 'name'),
      identifier: textFlag('Package name or bundle identifier; that of the first build unless given', 'id'),
      ...remoteFlags,
    },
  },
  func(flags, alias) {
    return createApplication(this.io, flags, alias)
  },
})

async function createApplication(io: Io, flags: Flags, alias: string): Promise<void> {
  const { platform, name = alias, identifier } = flags
  const { client } = await openSession(io, flags)
  const body = { alias, name, platform, bundleIdentifier: identifier ?? null }
  const application = await client.applications.create(body, { signal: io.signal })
  writeResult(io, flags.json, application, () =>
    writeLine(io, `Made the application ${toShownLine(application.name)} with the alias ${application.alias}`),
  )
}
