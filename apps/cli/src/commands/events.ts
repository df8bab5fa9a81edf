import { buildCommand } from '@stricli/core'
import type { CliContext } from '../context.ts'
import { appFlag, remoteFlags, type RemoteFlags } from '../flags.ts'
import type { Io } from '../io.ts'
import { requireApplication } from '../lookups/application.ts'
import { writeLine, writeNote } from '../output/write.ts'
import { openSession } from '../settings/session.ts'

interface Flags extends RemoteFlags {
  readonly app?: string
}

export const command = buildCommand<Flags, [], CliContext>({
  docs: {
    brief: 'Follow what changes in the workspace, one line of JSON for each event, until Ctrl-C',
    fullDescription:
      'Each line is an event with `kind`, `change`, `applicationId` and `ids`. A line {"refresh":true} says that ' +
      'events may have been missed, for example because the server was restarted.',
  },
  parameters: { flags: { app: appFlag, ...remoteFlags } },
  func(flags) {
    return followEvents(this.io, flags)
  },
})

async function followEvents(io: Io, { app, ...flags }: Flags): Promise<void> {
  const { client, url } = await openSession(io, flags)
  const application = app === undefined ? undefined : await requireApplication(io, client, app)
  const query = { applicationId: application?.id }
  for await (const one of client.events.follow(query, { signal: io.signal })) {
    if (one.type === 'open') writeNote(io, `Following the events of ${url}`)
    if (one.type === 'change') writeLine(io, JSON.stringify(one.event))
    if (one.type === 'refresh') writeLine(io, JSON.stringify({ refresh: true }))
  }
}
