import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { remoteFlags, type RemoteFlags, textFlag } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { requireGroup } from '../../lookups/groups.ts'
import { writeTable } from '../../output/table.ts'
import { formatInstant } from '../../output/units.ts'
import { writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

interface Flags extends RemoteFlags {
  readonly group?: string
}

export const command = buildCommand<Flags, [], CliContext>({
  docs: { brief: 'List the testers' },
  parameters: { flags: { group: textFlag('Only those of this group', 'name'), ...remoteFlags } },
  func(flags) {
    return listTesters(this.io, flags)
  },
})

async function listTesters(io: Io, flags: Flags): Promise<void> {
  const { client } = await openSession(io, flags)
  const call = { signal: io.signal }
  const testers =
    flags.group === undefined
      ? await client.testers.list(call)
      : await client.groups.listTesters((await requireGroup(io, client, flags.group)).id, call)
  writeResult(io, flags.json, testers, () =>
    writeTable(io, testers, [
      { title: 'ID', value: ({ id }) => id, align: 'right' },
      { title: 'E-MAIL', value: ({ email }) => email },
      { title: 'NAME', value: ({ name }) => name },
      { title: 'GROUPS', value: ({ groups }) => groups.map(({ name }) => name).join(', ') },
      { title: 'SINCE', value: ({ createdDate }) => formatInstant(createdDate) },
    ]),
  )
}
