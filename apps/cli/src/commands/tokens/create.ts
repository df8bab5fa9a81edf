import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { remoteFlags, type RemoteFlags, roleFlag, textArgument, textFlag } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { parseDate } from '../../lookups/parse-date.ts'
import { writeLine, writeNote, writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'
import { toShownLine } from '../../output/shown-text.ts'

interface Flags extends RemoteFlags {
  readonly role: 'viewer' | 'developer' | 'admin'
  readonly expires?: string
}

export const command = buildCommand<Flags, [name: string], CliContext>({
  docs: { brief: 'Create an API token; it is printed once, alone on standard output' },
  parameters: {
    positional: { kind: 'tuple', parameters: [textArgument('Name of the token', 'name')] },
    flags: {
      role: { ...roleFlag, default: 'developer' },
      expires: textFlag('Day or instant at which it ends', 'date'),
      ...remoteFlags,
    },
  },
  func(flags, name) {
    return createToken(this.io, flags, name)
  },
})

async function createToken(io: Io, flags: Flags, name: string): Promise<void> {
  const expirationDate = flags.expires === undefined ? null : parseDate(flags.expires)
  const { client } = await openSession(io, flags)
  const token = await client.apiTokens.create({ name, role: flags.role, expirationDate }, { signal: io.signal })
  writeResult(io, flags.json, token, () => {
    writeLine(io, token.token)
    writeNote(io, toShownLine(`Made the token ${token.id}, ${token.name}, with the role ${token.role}`))
  })
}
