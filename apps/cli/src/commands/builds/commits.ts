import { buildCommand } from '@stricli/core'
import { commitFlags, type CommitFlags } from '../../commits/commit-flags.ts'
import { sendCommits } from '../../commits/send-commits.ts'
import { describeCommits } from '../../commits/send-with-upload.ts'
import type { CliContext } from '../../context.ts'
import { idArgument, remoteFlags, type RemoteFlags } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { writeLine, writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

interface Flags extends RemoteFlags, CommitFlags {}

export const command = buildCommand<Flags, [id: number, range?: string], CliContext>({
  docs: {
    brief: 'Send the commits that came with a build, which crashes are compared with',
    fullDescription: [
      'Reads the commits between the build before and this one from the Git checkout in the current folder. Ids,',
      'dates, paths and line numbers are sent, and never code.',
      '',
      '  fairlead builds commits 412',
      '  fairlead builds commits 412 v1.2..v1.3',
    ].join('\n'),
  },
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [
        idArgument('Id of the build'),
        { brief: 'First and last commit, as A..B', placeholder: 'range', parse: parseRange, optional: true },
      ],
    },
    flags: { ...commitFlags, ...remoteFlags },
  },
  func(flags, id, range) {
    return sendCommitsOf(this.io, flags, id, range)
  },
})

function parseRange(text: string): string {
  if (!text.includes('..')) throw new SyntaxError(`${JSON.stringify(text)} is not a range of commits, such as A..B`)
  return text
}

async function sendCommitsOf(io: Io, flags: Flags, id: number, range: string | undefined): Promise<void> {
  const { client } = await openSession(io, flags)
  const build = await client.builds.get(id, { signal: io.signal })
  const sent = await sendCommits(io, client, build, range, flags)
  writeResult(io, flags.json, sent, () => writeLine(io, `Build ${id} has ${describeCommits(sent)}`))
}
