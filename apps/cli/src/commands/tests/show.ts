import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { idArgument, remoteFlags, type RemoteFlags } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'
import { writeResults, writeRun } from '../../test-runs/run-output.ts'

export const command = buildCommand<RemoteFlags, [id: number], CliContext>({
  docs: { brief: 'Show a test run and its failures' },
  parameters: {
    positional: { kind: 'tuple', parameters: [idArgument('Id of the run')] },
    flags: remoteFlags,
  },
  func(flags, id) {
    return showRun(this.io, flags, id)
  },
})

async function showRun(io: Io, flags: RemoteFlags, id: number): Promise<void> {
  const { client } = await openSession(io, flags)
  const run = await client.tests.getRun(id)
  const { items: failures, total } = await client.tests.listResults(id, { outcome: 'failed', limit: 200 })
  writeResult(io, flags.json, { ...run, failures }, () => {
    writeRun(io, run)
    writeResults(io, failures)
    if (total > failures.length) io.stdout.write(`and ${total - failures.length} more\n`)
  })
}
