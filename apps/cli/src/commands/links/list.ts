import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { remoteFlags, type RemoteFlags, requiredAppFlag } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { requireApplication } from '../../lookups/application.ts'
import { writeTable } from '../../output/table.ts'
import { writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

interface Flags extends RemoteFlags {
  readonly app: string
}

export const command = buildCommand<Flags, [], CliContext>({
  docs: { brief: 'List the addresses that show the newest build of an application' },
  parameters: {
    flags: {
      app: requiredAppFlag,
      ...remoteFlags,
    },
  },
  func(flags) {
    return listLinks(this.io, flags)
  },
})

async function listLinks(io: Io, flags: Flags): Promise<void> {
  const { client } = await openSession(io, flags)
  const application = await requireApplication(io, client, flags.app)
  const links = await client.latestLinks.list(application.id, { signal: io.signal })
  writeResult(io, flags.json, links, () =>
    writeTable(io, links, [
      { title: 'ID', value: ({ id }) => id, align: 'right' },
      { title: 'NAME', value: ({ name }) => name },
      { title: 'GROUP', value: ({ distributionGroup }) => distributionGroup?.name ?? null },
      { title: 'BRANCH', value: ({ branch }) => branch },
      { title: 'SHOWS', value: ({ build }) => build && `${build.shortVersion} (${build.version})` },
      { title: 'STATE', value: toState },
      { title: 'ADDRESS', value: ({ url }) => url },
    ]),
  )
}

function toState(link: { isRevoked: boolean; hasPassword: boolean; expirationDate: string | null }): string {
  if (link.isRevoked) return 'revoked'
  if (link.expirationDate !== null && Date.parse(link.expirationDate) <= Date.now()) return 'expired'
  return link.hasPassword ? 'password' : 'open'
}
