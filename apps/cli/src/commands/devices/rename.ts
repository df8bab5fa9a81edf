import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { idArgument, remoteFlags, type RemoteFlags, textArgument } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { toShownLine } from '../../output/shown-text.ts'
import { writeLine, writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

export const command = buildCommand<RemoteFlags, [id: number, name: string], CliContext>({
  docs: { brief: 'Rename a device, which Apple will know by that name' },
  parameters: {
    positional: { kind: 'tuple', parameters: [idArgument('Id of the device'), textArgument('Its new name', 'name')] },
    flags: remoteFlags,
  },
  func(flags, id, name) {
    return renameDevice(this.io, flags, id, name)
  },
})

async function renameDevice(io: Io, flags: RemoteFlags, id: number, name: string): Promise<void> {
  const { client } = await openSession(io, flags)
  const device = await client.devices.update(id, { name }, { signal: io.signal })
  writeResult(io, flags.json, device, () => writeLine(io, `Device ${id} is called ${toShownLine(device.name)} now`))
}
