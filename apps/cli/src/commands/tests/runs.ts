import { buildCommand, numberParser } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { remoteFlags, type RemoteFlags, requiredAppFlag, textFlag } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { requireApplication } from '../../lookups/application.ts'
import { writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'
import { writeRuns } from '../../test-runs/run-output.ts'

interface Flags extends RemoteFlags {
  readonly app: string
  readonly branch?: string
  readonly commit?: string
  readonly runKey?: string
  readonly limit: number
}

export const command = buildCommand<Flags, [], CliContext>({
  docs: { brief: 'List the test runs of an application, newest first' },
  parameters: {
    flags: {
      app: requiredAppFlag,
      branch: textFlag('Only runs of this branch', 'branch'),
      commit: textFlag('Only runs of this commit', 'hash'),
      runKey: textFlag('Only the run with this key', 'key'),
      limit: {
        kind: 'parsed',
        parse: numberParser,
        brief: 'Number of items, 1 to 200',
        placeholder: 'n',
        default: '20',
      },
      ...remoteFlags,
    },
  },
  func(flags) {
    return listRuns(this.io, flags)
  },
})

async function listRuns(io: Io, flags: Flags): Promise<void> {
  const { app, branch, commit, runKey: key, limit } = flags
  const { client } = await openSession(io, flags)
  const application = await requireApplication(io, client, app)
  const { items } = await client.tests.listRuns(application.id, { branch, commit, key, limit })
  writeResult(io, flags.json, items, () => writeRuns(io, items))
}
