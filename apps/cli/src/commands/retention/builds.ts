import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { idArgument, remoteFlags, type RemoteFlags } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { writeTable } from '../../output/table.ts'
import { formatBytes } from '../../output/units.ts'
import { writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

export const command = buildCommand<RemoteFlags, [id: number], CliContext>({
  docs: { brief: 'List the newest builds that a run looked at, and what became of them' },
  parameters: {
    positional: { kind: 'tuple', parameters: [idArgument('Id of the run')] },
    flags: remoteFlags,
  },
  func(flags, id) {
    return listBuilds(this.io, flags, id)
  },
})

const shown = 200

async function listBuilds(io: Io, flags: RemoteFlags, id: number): Promise<void> {
  const { client } = await openSession(io, flags)
  const { items } = await client.retention.listRunBuilds(id, { limit: shown }, { signal: io.signal })
  writeResult(io, flags.json, items, () =>
    writeTable(io, items, [
      { title: 'ID', value: (build) => build.id, align: 'right' },
      { title: 'VERSION', value: ({ shortVersion, version }) => `${shortVersion} (${version})` },
      { title: 'BRANCH', value: ({ branch }) => branch },
      { title: 'SIZE', value: ({ size }) => formatBytes(size), align: 'right' },
      { title: 'RULE', value: ({ rule }) => rule, align: 'right' },
      { title: 'STATE', value: ({ state }) => state },
    ]),
  )
}
