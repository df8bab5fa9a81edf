import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { remoteFlags, type RemoteFlags, switchFlag } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { requireApplication } from '../../lookups/application.ts'
import { confirmLoss } from '../../output/confirm.ts'
import { formatBytes } from '../../output/units.ts'
import { writeLine, writeResult } from '../../output/write.ts'
import { waitForRun } from '../../retention/wait-for-run.ts'
import { openSession } from '../../settings/session.ts'

interface Flags extends RemoteFlags {
  readonly app: string
  readonly yes: boolean
}

export const command = buildCommand<Flags, [], CliContext>({
  docs: { brief: 'Run the saved rules of an application now; its builds go to the trash' },
  parameters: {
    flags: {
      app: { kind: 'parsed', parse: String, brief: 'Alias of the application', placeholder: 'alias' },
      yes: switchFlag('Do not ask'),
      ...remoteFlags,
    },
  },
  func(flags) {
    return runRetention(this.io, flags)
  },
})

async function runRetention(io: Io, flags: Flags): Promise<void> {
  const { client } = await openSession(io, flags)
  const application = await requireApplication(io, client, flags.app)
  if (!flags.yes) {
    const { candidateCount } = await client.retention.preview(application.id, undefined, { signal: io.signal })
    await confirmLoss(io, false, `Move ${candidateCount} builds to the trash?`)
  }
  const run = await waitForRun(io, client, await client.retention.run(application.id, { signal: io.signal }))
  writeResult(io, flags.json, run, () =>
    writeLine(io, `Run ${run.id} moved ${run.trashedCount} builds of ${formatBytes(run.trashedBytes)} to the trash`),
  )
}
