import { buildCommand, numberParser } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { appFlag, idArgument, remoteFlags, type RemoteFlags, textFlag } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'
import { requireRunId, type RunFlags } from '../../test-runs/find-run.ts'
import {
  awaitVerdict,
  checkVerdict,
  parseDuration,
  type Verdict,
  withVerdictCodes,
  writeVerdict,
} from '../../test-runs/verdict.ts'

interface Flags extends RemoteFlags, RunFlags {
  readonly build?: number
  readonly wait?: number
}

export const command = buildCommand<Flags, [id?: number], CliContext>({
  docs: {
    brief: 'Show the verdict of a test run or of the runs of a build; the exit code gives it too',
    fullDescription: [
      'Known, flaky and quarantined failures do not make a run fail. Exit codes of this command:',
      '',
      '    0  pass',
      '    1  fail',
      '    2  the command line is wrong',
      '    3  the verdict cannot be had from the server',
      '    4  there are no tests',
      '    5  only the machine failed, not the tests',
      '    8  the run is not complete',
      '',
      '  fairlead tests verdict --app shop --wait 10m',
    ].join('\n'),
  },
  parameters: {
    positional: { kind: 'tuple', parameters: [{ ...idArgument('Id of the run'), optional: true }] },
    flags: {
      app: appFlag,
      runKey: textFlag('Key of the run; the pipeline of the CI service unless given', 'key'),
      build: {
        kind: 'parsed',
        parse: numberParser,
        brief: 'Id of a build, instead of a run',
        placeholder: 'id',
        optional: true,
      },
      wait: {
        kind: 'parsed',
        parse: parseDuration,
        brief: 'Wait until the run is complete, at most this long: 90s, 10m, 1h',
        placeholder: 'time',
        optional: true,
      },
      ...remoteFlags,
    },
  },
  func(flags, id) {
    return showVerdict(this.io, flags, id)
  },
})

async function showVerdict(io: Io, flags: Flags, id: number | undefined): Promise<void> {
  const verdict = await withVerdictCodes(io, () => readVerdict(io, flags, id))
  writeResult(io, flags.json, verdict, () => writeVerdict(io, verdict))
  checkVerdict(verdict)
}

async function readVerdict(io: Io, flags: Flags, id: number | undefined): Promise<Verdict> {
  const { client } = await openSession(io, flags)
  const { build, wait = 0 } = flags
  if (build !== undefined) return awaitVerdict(io, () => client.tests.getVerdictOfBuild(build), wait)
  const runId = await requireRunId(io, client, flags, id)
  return awaitVerdict(io, () => client.tests.getVerdict(runId), wait)
}
