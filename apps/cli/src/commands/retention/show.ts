import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { remoteFlags, type RemoteFlags } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { requireApplication } from '../../lookups/application.ts'
import { formatInstant } from '../../output/units.ts'
import { writeFields, writeResult } from '../../output/write.ts'
import { describeRule } from '../../retention/rules.ts'
import { openSession } from '../../settings/session.ts'

interface Flags extends RemoteFlags {
  readonly app: string
}

export const command = buildCommand<Flags, [], CliContext>({
  docs: { brief: 'Show the rules that remove old builds of an application' },
  parameters: {
    flags: {
      app: { kind: 'parsed', parse: String, brief: 'Alias of the application', placeholder: 'alias' },
      ...remoteFlags,
    },
  },
  func(flags) {
    return showRetention(this.io, flags)
  },
})

async function showRetention(io: Io, flags: Flags): Promise<void> {
  const { client } = await openSession(io, flags)
  const application = await requireApplication(io, client, flags.app)
  const retention = await client.retention.get(application.id, { signal: io.signal })
  writeResult(io, flags.json, retention, () =>
    writeFields(io, [
      ['State', retention.isEnabled ? `on, by rules of the ${retention.source}` : 'off'],
      ...retention.rules.map((rule, index) => [`Rule ${index}`, describeRule(rule)] as const),
      ['Keeps', `builds that were distributed within ${retention.keepDistributedDays} days`],
      ['Quiet after', retention.quietBranchDays === null ? null : `${retention.quietBranchDays} days`],
      ['Next run', retention.nextRunDate === null ? null : formatInstant(retention.nextRunDate)],
    ]),
  )
}
