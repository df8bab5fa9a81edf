import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { remoteFlags, type RemoteFlags, switchFlag } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'
import { findReports } from '../../test-runs/find-reports.ts'
import { reportFlags, type ReportFlags } from '../../test-runs/report-flags.ts'
import { writeRun } from '../../test-runs/run-output.ts'
import { sendReports } from '../../test-runs/send-reports.ts'

interface Flags extends RemoteFlags, ReportFlags {
  readonly complete: boolean
}

export const command = buildCommand<Flags, string[], CliContext>({
  docs: {
    brief: 'Upload the reports of a test run',
    fullDescription: [
      'Takes files, folders and patterns, of JUnit, CTRF, Allure, xcresulttool, .xcresult and am instrument.',
      'Several files go as one archive. Reports with equal run keys are one run. Key, attempt, shard, branch,',
      'commit and job come from the variables of the CI service.',
      '',
      "  fairlead tests upload 'app/build/**/TEST-*.xml' --app shop",
    ].join('\n'),
  },
  parameters: {
    positional: {
      kind: 'array',
      minimum: 1,
      parameter: { brief: 'Reports, folders, or patterns between quotation marks', placeholder: 'file', parse: String },
    },
    flags: { ...reportFlags, complete: switchFlag('Nothing else comes: complete the run'), ...remoteFlags },
  },
  func(flags, ...patterns) {
    return uploadReports(this.io, flags, patterns)
  },
})

async function uploadReports(io: Io, flags: Flags, patterns: readonly string[]): Promise<void> {
  const files = await findReports(io.cwd, patterns)
  const { client } = await openSession(io, flags)
  const report = await sendReports(io, client, flags, files)
  const run = flags.complete ? await client.tests.completeRun(report.run.id) : report.run
  writeResult(io, flags.json, { ...report, run }, () => writeRun(io, run))
}
