import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../../context.ts'
import { remoteFlags, type RemoteFlags, textArgument } from '../../../flags.ts'
import type { Io } from '../../../io.ts'
import { readText } from '../../../lookups/read-input.ts'
import { writeLine, writeResult } from '../../../output/write.ts'
import { openSession } from '../../../settings/session.ts'

interface Flags extends RemoteFlags {
  readonly issuer: string
  readonly keyId: string
}

export const command = buildCommand<Flags, [file: string], CliContext>({
  docs: { brief: 'Set the key of App Store Connect that devices are registered by' },
  parameters: {
    positional: { kind: 'tuple', parameters: [textArgument('File AuthKey_….p8, - for standard input', 'file')] },
    flags: {
      issuer: { kind: 'parsed', parse: String, brief: 'Issuer ID of the team', placeholder: 'uuid' },
      keyId: { kind: 'parsed', parse: String, brief: 'ID of the key', placeholder: 'id' },
      ...remoteFlags,
    },
  },
  func(flags, file) {
    return setKey(this.io, flags, file)
  },
})

async function setKey(io: Io, { issuer: issuerId, keyId, ...flags }: Flags, file: string): Promise<void> {
  const privateKey = await readText(io, file)
  const { client } = await openSession(io, flags)
  const key = await client.devices.saveAppStoreConnect({ issuerId, keyId, privateKey }, { signal: io.signal })
  writeResult(io, flags.json, key, () => writeLine(io, `Apple has accepted the key ${key.keyId}`))
}
