import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { remoteFlags, type RemoteFlags } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { writeTable } from '../../output/table.ts'
import { formatInstant } from '../../output/units.ts'
import { writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

export const command = buildCommand<RemoteFlags, [], CliContext>({
  docs: { brief: 'List the API tokens of the workspace' },
  parameters: { flags: remoteFlags },
  func(flags) {
    return listTokens(this.io, flags)
  },
})

async function listTokens(io: Io, flags: RemoteFlags): Promise<void> {
  const { client } = await openSession(io, flags)
  const tokens = await client.apiTokens.list({ signal: io.signal })
  writeResult(io, flags.json, tokens, () =>
    writeTable(io, tokens, [
      { title: 'ID', value: ({ id }) => id, align: 'right' },
      { title: 'NAME', value: ({ name }) => name },
      { title: 'ROLE', value: ({ role }) => role },
      { title: 'MADE BY', value: ({ createdBy }) => createdBy },
      { title: 'LAST USED', value: ({ lastUsedDate }) => lastUsedDate && formatInstant(lastUsedDate) },
      { title: 'EXPIRES', value: ({ expirationDate }) => expirationDate && formatInstant(expirationDate) },
    ]),
  )
}
