import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { idArgument, remoteFlags, type RemoteFlags, switchFlag } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { writeBuild } from '../../output/build.ts'
import { writeQrCode } from '../../output/qr-code.ts'
import { writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

interface Flags extends RemoteFlags {
  readonly qr: boolean
}

export const command = buildCommand<Flags, [id: number], CliContext>({
  docs: { brief: 'Show a build' },
  parameters: {
    positional: { kind: 'tuple', parameters: [idArgument('Id of the build')] },
    flags: { qr: switchFlag('Show the install link as a QR code too'), ...remoteFlags },
  },
  func(flags, id) {
    return showBuild(this.io, flags, id)
  },
})

async function showBuild(io: Io, flags: Flags, id: number): Promise<void> {
  const { client } = await openSession(io, flags)
  const build = await client.builds.get(id, { signal: io.signal })
  writeResult(io, flags.json, build, () => writeBuild(io, build))
  if (flags.qr && !flags.json) await writeQrCode(io, build.installUrl)
}
