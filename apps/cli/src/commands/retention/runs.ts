import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { remoteFlags, type RemoteFlags, requiredAppFlag } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { requireApplication } from '../../lookups/application.ts'
import { writeTable } from '../../output/table.ts'
import { formatBytes, formatInstant } from '../../output/units.ts'
import { writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

interface Flags extends RemoteFlags {
  readonly app: string
}

export const command = buildCommand<Flags, [], CliContext>({
  docs: { brief: 'List the runs of the rules of an application, and until when each can be undone' },
  parameters: { flags: { app: requiredAppFlag, ...remoteFlags } },
  func(flags) {
    return listRuns(this.io, flags)
  },
})

async function listRuns(io: Io, flags: Flags): Promise<void> {
  const { client } = await openSession(io, flags)
  const { id: applicationId } = await requireApplication(io, client, flags.app)
  const runs = await client.retention.listRuns(applicationId, { signal: io.signal })
  writeResult(io, flags.json, runs, () =>
    writeTable(io, runs, [
      { title: 'ID', value: ({ id }) => id, align: 'right' },
      { title: 'TRIGGER', value: ({ trigger }) => trigger },
      { title: 'STATE', value: ({ state }) => state },
      { title: 'TRASHED', value: ({ trashedCount }) => trashedCount, align: 'right' },
      { title: 'SIZE', value: ({ trashedBytes }) => formatBytes(trashedBytes), align: 'right' },
      { title: 'STARTED', value: ({ startedDate }) => formatInstant(startedDate) },
      { title: 'UNDO UNTIL', value: ({ undoUntilDate }) => undoUntilDate && formatInstant(undoUntilDate) },
    ]),
  )
}
