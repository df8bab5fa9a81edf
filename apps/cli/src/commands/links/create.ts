import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { remoteFlags, type RemoteFlags, requiredAppFlag, switchFlag, textArgument, textFlag } from '../../flags.ts'
import { readLinkPassword } from '../../install-links/update-link.ts'
import type { Io } from '../../io.ts'
import { requireApplication } from '../../lookups/application.ts'
import { requireGroup } from '../../lookups/groups.ts'
import { parseDate } from '../../lookups/parse-date.ts'
import { writeFields, writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

interface Flags extends RemoteFlags {
  readonly app: string
  readonly group?: string
  readonly branch?: string
  readonly uploads: boolean
  readonly older: boolean
  readonly passwordEnv?: string
  readonly expires?: string
}

export const command = buildCommand<Flags, [name: string], CliContext>({
  docs: { brief: 'Create an address that always shows the newest build' },
  parameters: {
    positional: { kind: 'tuple', parameters: [textArgument('Name of the link', 'name')] },
    flags: {
      app: requiredAppFlag,
      group: textFlag('Only builds that this distribution group has', 'name'),
      branch: textFlag('Only builds of this branch', 'branch'),
      uploads: switchFlag('Show a build as soon as it is uploaded, before it is distributed'),
      older: switchFlag('List the ten builds before it, too'),
      passwordEnv: textFlag('Environment variable that holds the password of the link', 'name'),
      expires: textFlag('Day or instant at which the link ends', 'date'),
      ...remoteFlags,
    },
  },
  func(flags, name) {
    return createLink(this.io, flags, name)
  },
})

async function createLink(io: Io, flags: Flags, name: string): Promise<void> {
  const password = flags.passwordEnv === undefined ? null : readLinkPassword(io, flags.passwordEnv)
  const expirationDate = flags.expires === undefined ? null : parseDate(flags.expires)
  const { client } = await openSession(io, flags)
  const application = await requireApplication(io, client, flags.app)
  const group = flags.group === undefined ? null : await requireGroup(io, client, flags.group)
  const link = await client.latestLinks.create(
    application.id,
    {
      name,
      distributionGroupId: group?.id ?? null,
      branch: flags.branch ?? null,
      follows: flags.uploads ? 'uploaded' : 'distributed',
      showsOlder: flags.older,
      password,
      expirationDate,
    },
    { signal: io.signal },
  )
  writeResult(io, flags.json, link, () =>
    writeFields(io, [
      ['Link', `${link.id}, ${link.url}`],
      ['Shows', link.build && `build ${link.build.id}, ${link.build.shortVersion} (${link.build.version})`],
    ]),
  )
}
