import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { appFlag, idArgument, remoteFlags, type RemoteFlags, textFlag } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'
import { requireRunId, type RunFlags } from '../../test-runs/find-run.ts'
import { writeRun } from '../../test-runs/run-output.ts'

interface Flags extends RemoteFlags, RunFlags {}

export const command = buildCommand<Flags, [id?: number], CliContext>({
  docs: { brief: 'Complete a test run after its last report' },
  parameters: {
    positional: { kind: 'tuple', parameters: [{ ...idArgument('Id of the run'), optional: true }] },
    flags: {
      app: appFlag,
      runKey: textFlag('Key of the run; the pipeline of the CI service unless given', 'key'),
      ...remoteFlags,
    },
  },
  func(flags, id) {
    return completeRun(this.io, flags, id)
  },
})

async function completeRun(io: Io, flags: Flags, id: number | undefined): Promise<void> {
  const { client } = await openSession(io, flags)
  const run = await client.tests.completeRun(await requireRunId(io, client, flags, id))
  writeResult(io, flags.json, run, () => writeRun(io, run))
}
