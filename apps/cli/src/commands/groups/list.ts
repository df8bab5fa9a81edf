import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { remoteFlags, type RemoteFlags } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { writeTable } from '../../output/table.ts'
import { writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

export const command = buildCommand<RemoteFlags, [], CliContext>({
  docs: { brief: 'List the distribution groups' },
  parameters: { flags: remoteFlags },
  func(flags) {
    return listGroups(this.io, flags)
  },
})

async function listGroups(io: Io, flags: RemoteFlags): Promise<void> {
  const { client } = await openSession(io, flags)
  const groups = await client.groups.list({ signal: io.signal })
  writeResult(io, flags.json, groups, () =>
    writeTable(io, groups, [
      { title: 'ID', value: ({ id }) => id, align: 'right' },
      { title: 'NAME', value: ({ name }) => name },
      { title: 'TESTERS', value: ({ testerCount }) => testerCount, align: 'right' },
      { title: 'BUILDS', value: ({ buildCount }) => buildCount, align: 'right' },
    ]),
  )
}
