import { buildCommand } from '@stricli/core'
import { CliError } from '../../cli-error.ts'
import type { CliContext } from '../../context.ts'
import { remoteFlags, type RemoteFlags, textArgument, textFlag } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { requireApplication } from '../../lookups/application.ts'
import { toShownLine } from '../../output/shown-text.ts'
import { writeLine, writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

interface Flags extends RemoteFlags {
  readonly alias?: string
  readonly branch?: string
}

export const command = buildCommand<Flags, [alias: string, name?: string], CliContext>({
  docs: { brief: 'Change the name, the alias or the default branch of an application' },
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [
        textArgument('Alias of the application', 'alias'),
        { ...textArgument('New name that people see', 'name'), optional: true },
      ],
    },
    flags: {
      alias: textFlag('New alias; fixed once the application has builds', 'alias'),
      branch: textFlag('Branch that test runs are compared with', 'name'),
      ...remoteFlags,
    },
  },
  func(flags, alias, name) {
    return renameApplication(this.io, flags, alias, name)
  },
})

async function renameApplication(io: Io, flags: Flags, alias: string, name: string | undefined): Promise<void> {
  const change = { name, alias: flags.alias, defaultBranch: flags.branch }
  if (Object.values(change).every((value) => value === undefined)) {
    throw new CliError('usage', 'Nothing is to be changed', { fix: 'Give a new name, --alias or --branch.' })
  }
  const { client } = await openSession(io, flags)
  const { id } = await requireApplication(io, client, alias)
  const application = await client.applications.update(id, change, { signal: io.signal })
  writeResult(io, flags.json, application, () =>
    writeLine(io, `The application ${application.alias} is called ${toShownLine(application.name)}`),
  )
}
