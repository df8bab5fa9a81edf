import type { Client } from '@fairlead/client'
import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { remoteFlags, type RemoteFlags } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { writeTable } from '../../output/table.ts'
import { formatInstant } from '../../output/units.ts'
import { writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

export const command = buildCommand<RemoteFlags, [], CliContext>({
  docs: { brief: 'List the hooks, and how they do' },
  parameters: { flags: remoteFlags },
  func(flags) {
    return listHooks(this.io, flags)
  },
})

async function listHooks(io: Io, flags: RemoteFlags): Promise<void> {
  const { client } = await openSession(io, flags)
  const hooks = await client.hooks.list({ signal: io.signal })
  writeResult(io, flags.json, hooks, () =>
    writeTable(io, hooks, [
      { title: 'ID', value: ({ id }) => id, align: 'right' },
      { title: 'NAME', value: ({ name }) => name },
      { title: 'FORMAT', value: ({ format }) => format },
      { title: 'STATE', value: toState },
      { title: 'WAITING', value: ({ waitingCount }) => waitingCount, align: 'right' },
      { title: 'LAST SUCCESS', value: ({ lastSuccessDate }) => lastSuccessDate && formatInstant(lastSuccessDate) },
      // The rest of an address may be a secret.
      { title: 'HOST', value: ({ url }) => URL.parse(url)?.host ?? null },
    ]),
  )
}

type Hook = Awaited<ReturnType<Client['hooks']['list']>>[number]

function toState({ isEnabled, disabledReason, lastFailureDate, lastSuccessDate }: Hook): string {
  if (!isEnabled) return `off (${disabledReason ?? 'hand'})`
  if (lastFailureDate !== null && (lastSuccessDate ?? '') < lastFailureDate) return 'failing'
  return 'fine'
}
