import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { idArgument, remoteFlags, type RemoteFlags } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { toShownLine } from '../../output/shown-text.ts'
import { writeLine, writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

export const command = buildCommand<RemoteFlags, [id: number], CliContext>({
  docs: { brief: 'Register a device at Apple, which takes one of a hundred places a year' },
  parameters: {
    positional: { kind: 'tuple', parameters: [idArgument('Id of the device')] },
    flags: remoteFlags,
  },
  func(flags, id) {
    return registerDevice(this.io, flags, id)
  },
})

async function registerDevice(io: Io, flags: RemoteFlags, id: number): Promise<void> {
  const { client } = await openSession(io, flags)
  const device = await client.devices.register(id, { signal: io.signal })
  writeResult(io, flags.json, device, () => {
    writeLine(io, toShownLine(`${device.name} is being registered at Apple; "fairlead devices" shows when it is done`))
  })
}
