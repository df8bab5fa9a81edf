import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../../context.ts'
import { remoteFlags, type RemoteFlags } from '../../../flags.ts'
import type { Io } from '../../../io.ts'
import { formatInstant } from '../../../output/units.ts'
import { writeFields, writeResult } from '../../../output/write.ts'
import { openSession } from '../../../settings/session.ts'

export const command = buildCommand<RemoteFlags, [], CliContext>({
  docs: { brief: 'Show which key of App Store Connect is set' },
  parameters: { flags: remoteFlags },
  func(flags) {
    return showKey(this.io, flags)
  },
})

async function showKey(io: Io, flags: RemoteFlags): Promise<void> {
  const { client } = await openSession(io, flags)
  const key = await client.devices.getAppStoreConnect({ signal: io.signal })
  writeResult(io, flags.json, key, () =>
    writeFields(io, [
      ['Issuer', key.issuerId],
      ['Key', key.keyId],
      ['Set', formatInstant(key.createdDate)],
      ['By', key.createdBy],
    ]),
  )
}
