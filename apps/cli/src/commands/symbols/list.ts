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
  docs: { brief: 'List the symbols files of an application' },
  parameters: {
    flags: {
      app: requiredAppFlag,
      ...remoteFlags,
    },
  },
  func(flags) {
    return listSymbols(this.io, flags)
  },
})

async function listSymbols(io: Io, flags: Flags): Promise<void> {
  const { client } = await openSession(io, flags)
  const { id } = await requireApplication(io, client, flags.app)
  const files = await client.symbols.list(id, { signal: io.signal })
  writeResult(io, flags.json, files, () =>
    writeTable(io, files, [
      { title: 'ID', value: ({ id: fileId }) => fileId, align: 'right' },
      { title: 'KIND', value: ({ kind }) => kind },
      { title: 'VERSION', value: ({ shortVersion, version }) => shortVersion && `${shortVersion} (${version ?? '?'})` },
      { title: 'SIZE', value: ({ size }) => formatBytes(size), align: 'right' },
      { title: 'UPLOADED', value: ({ uploadedDate }) => formatInstant(uploadedDate) },
      { title: 'IMAGES', value: ({ images }) => images.map(({ name }) => name).join(', ') },
    ]),
  )
}
