import { numberParser } from '@stricli/core'
import { readBaseCommit, readSource } from '../ci/source.ts'
import { readCiTestRun } from '../ci/test-run.ts'
import { requiredAppFlag, switchFlag, textFlag } from '../flags.ts'
import type { Io } from '../io.ts'

/** Flags that name the application, the run and the part of the run to which reports belong. */
export interface ReportFlags {
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
}

export const reportFlags = {
  app: requiredAppFlag,
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
} as const

/** The headers of an upload: the flags, and for what they leave out the variables of the CI service. */
export function toReportHeaders(io: Io, flags: ReportFlags): Record<string, string> {
  const source = readSource(io, flags)
  const run = readCiTestRun(io.env)
  const headers = {
    'X-Service-Branch': source.branch,
    'X-Service-Commit': source.commit,
    'X-Service-Base-Commit': flags.baseCommit ?? readBaseCommit(io),
    'X-Service-CI-Url': source.ciUrl,
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
