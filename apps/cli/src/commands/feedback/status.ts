import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { idArgument, remoteFlags, type RemoteFlags } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { writeLine, writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

type Status = 'open' | 'done'

export const command = buildCommand<RemoteFlags, [id: number, status: Status], CliContext>({
  docs: { brief: 'Mark feedback as done, or as open again' },
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [
        idArgument('Id of the feedback'),
        { brief: 'open or done', placeholder: 'status', parse: parseStatus },
      ],
    },
    flags: remoteFlags,
  },
  func(flags, id, status) {
    return markFeedback(this.io, flags, id, status)
  },
})

function parseStatus(text: string): Status {
  if (text === 'open' || text === 'done') return text
  throw new SyntaxError(`${JSON.stringify(text)} is none of open, done`)
}

async function markFeedback(io: Io, flags: RemoteFlags, id: number, status: Status): Promise<void> {
  const { client } = await openSession(io, flags)
  const feedback = await client.feedback.update(id, { status }, { signal: io.signal })
  writeResult(io, flags.json, feedback, () => writeLine(io, `Feedback ${id} is ${feedback.status}`))
}
