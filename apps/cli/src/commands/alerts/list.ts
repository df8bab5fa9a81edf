import type { Client } from '@fairlead/client'
import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { remoteFlags, type RemoteFlags, requiredAppFlag } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { requireApplication } from '../../lookups/application.ts'
import { writeTable } from '../../output/table.ts'
import { formatInstant } from '../../output/units.ts'
import { writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

interface Flags extends RemoteFlags {
  readonly app: string
}

export const command = buildCommand<Flags, [], CliContext>({
  docs: { brief: 'List the alert rules of an application, and how they do' },
  parameters: { flags: { app: requiredAppFlag, ...remoteFlags } },
  func(flags) {
    return listRules(this.io, flags)
  },
})

async function listRules(io: Io, flags: Flags): Promise<void> {
  const { client } = await openSession(io, flags)
  const application = await requireApplication(io, client, flags.app)
  const rules = await client.alerts.listRules(application.id, { signal: io.signal })
  writeResult(io, flags.json, rules, () =>
    writeTable(io, rules, [
      { title: 'ID', value: ({ id }) => id, align: 'right' },
      { title: 'NAME', value: ({ name }) => name },
      { title: 'KIND', value: ({ kind }) => kind },
      { title: 'LINE', value: toLine },
      { title: 'STATE', value: ({ isEnabled, state }) => (isEnabled ? state : 'off') },
      { title: 'HOOKS', value: ({ hookIds }) => hookIds.length, align: 'right' },
      {
        title: 'MAILS',
        value: ({ accountIds, roles }) => [...roles, ...(accountIds.length > 0 ? [accountIds.length] : [])].join(),
      },
      { title: 'LAST FIRED', value: ({ lastFiredDate }) => lastFiredDate && formatInstant(lastFiredDate) },
    ]),
  )
}

type Rule = Awaited<ReturnType<Client['alerts']['listRules']>>[number]

function toLine({ threshold, windowMinutes, branch }: Rule): string {
  const line = threshold === null ? [] : [`${threshold} in ${windowMinutes} min`]
  return [...line, ...(branch === null ? [] : [branch])].join(', ')
}
