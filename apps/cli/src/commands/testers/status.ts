import { buildCommand } from '@stricli/core'
import type { BuildTester } from '@fairlead/client'
import type { CliContext } from '../../context.ts'
import { idArgument, remoteFlags, type RemoteFlags } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { writeTable } from '../../output/table.ts'
import { formatInstant } from '../../output/units.ts'
import { writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

export const command = buildCommand<RemoteFlags, [id: number], CliContext>({
  docs: { brief: 'Show who was told of a build, opened it and installed it' },
  parameters: {
    positional: { kind: 'tuple', parameters: [idArgument('Id of the build')] },
    flags: remoteFlags,
  },
  func(flags, id) {
    return showStatus(this.io, flags, id)
  },
})

async function showStatus(io: Io, flags: RemoteFlags, id: number): Promise<void> {
  const { client } = await openSession(io, flags)
  const testers = await client.builds.listTesters(id, { signal: io.signal })
  writeResult(io, flags.json, testers, () =>
    writeTable(io, testers, [
      { title: 'E-MAIL', value: ({ email }) => email },
      { title: 'STATE', value: ({ state }) => state },
      { title: 'SINCE', value: (tester) => formatDate(tester) },
      { title: 'MAIL', value: ({ mailState, isUnsubscribed }) => (isUnsubscribed ? 'off' : (mailState ?? '')) },
      { title: 'REMINDED', value: ({ remindedDate }) => (remindedDate === null ? '' : formatInstant(remindedDate)) },
      { title: 'GROUPS', value: ({ groups }) => groups.map(({ name }) => name).join(', ') },
    ]),
  )
}

function formatDate({ installedDate, openedDate, toldDate }: BuildTester): string {
  const date = installedDate ?? openedDate ?? toldDate
  return date === null ? '' : formatInstant(date)
}
