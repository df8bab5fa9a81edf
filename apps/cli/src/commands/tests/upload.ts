import { buildCommand, numberParser } from '@stricli/core'
import { readCiEnvironment } from '../../ci/ci-environment.ts'
import { readCiTestRun } from '../../ci/test-run.ts'
import type { CliContext } from '../../context.ts'
import { writeTemporaryZip, type ZipEntry } from '../../files/temporary-zip.ts'
import { remoteFlags, type RemoteFlags, switchFlag, textFlag } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { toShownLine } from '../../output/shown-text.ts'
import { writeNote, writeResult, writeWarning } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'
import { findReports } from '../../tests/find-reports.ts'
import { writeRun } from '../../tests/run-output.ts'

interface Flags extends RemoteFlags {
  readonly app: string
  readonly runKey?: string
  readonly attempt?: number
  readonly shard?: string
  readonly suite?: string
  readonly build?: number
  readonly baseCommit?: string
  readonly branch?: string
  readonly commit?: string
  readonly ciUrl?: string
  readonly skipBroken: boolean
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
    flags: {
      app: { kind: 'parsed', parse: String, brief: 'Alias of the application', placeholder: 'alias' },
      runKey: textFlag('Uploads with equal keys are one run; the pipeline of the CI service unless given', 'key'),
      attempt: {
        kind: 'parsed',
        parse: numberParser,
        brief: 'Attempt of the run, from 1',
        placeholder: 'n',
        optional: true,
      },
      shard: textFlag('Which part of the run this is: 2/4', 'i/n'),
      suite: textFlag('Replaces the suites that the reports name', 'name'),
      build: { kind: 'parsed', parse: numberParser, brief: 'Build that was tested', placeholder: 'id', optional: true },
      baseCommit: textFlag('Commit whose run this one is compared with', 'hash'),
      branch: textFlag('Branch, where CI does not say it', 'branch'),
      commit: textFlag('Commit, where CI does not say it', 'hash'),
      ciUrl: textFlag('Page of the job, where CI does not say it', 'url'),
      skipBroken: switchFlag('Keep the other files if one is broken'),
      complete: switchFlag('Nothing else comes: complete the run'),
      ...remoteFlags,
    },
  },
  func(flags, ...patterns) {
    return uploadReports(this.io, flags, patterns)
  },
})

async function uploadReports(io: Io, flags: Flags, patterns: readonly string[]): Promise<void> {
  const files = await findReports(io.cwd, patterns)
  const { client } = await openSession(io, flags)
  writeNote(io, `Uploading ${files.length} files to ${toShownLine(flags.app)}`)
  await using file = await openUpload(io, files)
  const report = await client.tests.uploadReport({
    alias: flags.app,
    file: file.path,
    headers: toHeaders(io, flags),
    signal: io.signal,
  })
  const run = flags.complete ? await client.tests.completeRun(report.run.id) : report.run
  writeResult(io, flags.json, { ...report, run }, () => writeRun(io, run))
  for (const { file: name, line, detail } of report.warnings) {
    writeWarning(io, `${name ?? ''}${line === null ? '' : `:${line}`}${name === null ? '' : ': '}${detail}`)
  }
}

async function openUpload(io: Io, files: readonly ZipEntry[]): Promise<AsyncDisposable & { path: string }> {
  const [only] = files
  if (only && files.length === 1) return { path: only.path, async [Symbol.asyncDispose]() {} }
  return await writeTemporaryZip(files, io.signal)
}

function toHeaders(io: Io, flags: Flags): Record<string, string> {
  const ci = readCiEnvironment(io.env)
  const run = readCiTestRun(io.env)
  const headers = {
    'X-Service-Branch': flags.branch ?? ci?.branch,
    'X-Service-Commit': flags.commit ?? ci?.commit,
    'X-Service-Base-Commit': flags.baseCommit ?? run.baseCommit,
    'X-Service-CI-Url': flags.ciUrl ?? ci?.jobUrl,
    'X-Service-Run-Key': flags.runKey ?? run.key,
    'X-Service-Run-Attempt': flags.attempt ?? run.attempt,
    'X-Service-Shard': flags.shard ?? run.shard,
    'X-Service-Suite': flags.suite,
    'X-Service-Build-Id': flags.build,
    'X-Service-Skip-Broken': flags.skipBroken ? 'true' : undefined,
  }
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )
}
