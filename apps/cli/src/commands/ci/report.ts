import { buildCommand, numberParser } from '@stricli/core'
import { writeReport } from '../../ci-report/report.ts'
import type { CliContext } from '../../context.ts'
import { remoteFlags, type RemoteFlags, requiredAppFlag, textFlag } from '../../flags.ts'
import { writeLine, writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

interface Flags extends RemoteFlags {
  readonly app: string
  readonly runKey?: string
  readonly build?: number
  readonly commit?: string
}

export const command = buildCommand<Flags, [], CliContext>({
  docs: {
    brief: 'Write a summary, a check and one comment per pull request about the tests and the build of a commit',
    fullDescription: [
      'Uses the token that CI gives to the job: GITHUB_TOKEN (GitHub, Gitea, Forgejo), GITLAB_TOKEN, BITBUCKET_TOKEN,',
      'or SYSTEM_ACCESSTOKEN (Azure). The server never has it. Many jobs may do this at once: each application has',
      'one comment, with the last state. A token that may only read, as in a fork, is a warning and no failure.',
      '',
      '  fairlead ci report --app shop',
    ].join('\n'),
  },
  parameters: {
    flags: {
      app: requiredAppFlag,
      runKey: textFlag('Key of the test run; the pipeline of the CI service unless given', 'key'),
      build: {
        kind: 'parsed',
        parse: numberParser,
        brief: 'Id of the build; found by the commit unless given',
        placeholder: 'id',
        optional: true,
      },
      commit: textFlag('Commit, where CI does not say it', 'hash'),
      ...remoteFlags,
    },
  },
  async func(flags) {
    const { client } = await openSession(this.io, flags)
    const written = await writeReport(this.io, client, flags)
    writeResult(this.io, flags.json, written, () => writeLine(this.io, written.text.trimEnd()))
  },
})
