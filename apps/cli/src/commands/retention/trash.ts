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
  docs: { brief: 'List the builds of an application that are in the trash' },
  parameters: { flags: { app: requiredAppFlag, ...remoteFlags } },
  func(flags) {
    return listTrash(this.io, flags)
  },
})

async function listTrash(io: Io, flags: Flags): Promise<void> {
  const { client } = await openSession(io, flags)
  const { id: applicationId } = await requireApplication(io, client, flags.app)
  const builds = await client.retention.listTrash(applicationId, { signal: io.signal })
  writeResult(io, flags.json, builds, () =>
    writeTable(io, builds, [
      { title: 'ID', value: ({ id }) => id, align: 'right' },
      { title: 'VERSION', value: ({ shortVersion, version }) => `${shortVersion} (${version})` },
      { title: 'SIZE', value: ({ size }) => formatBytes(size), align: 'right' },
      { title: 'TRASHED', value: ({ trashedDate }) => formatInstant(trashedDate) },
      { title: 'DELETED ON', value: ({ purgeDate }) => formatInstant(purgeDate) },
    ]),
  )
}
