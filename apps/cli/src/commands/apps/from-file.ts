import { resolve } from 'node:path'
import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { remoteFlags, type RemoteFlags, textArgument } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { writeBuild } from '../../output/build.ts'
import { writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

export const command = buildCommand<RemoteFlags, [file: string], CliContext>({
  docs: { brief: 'Upload a build, and create its application with what the file says' },
  parameters: {
    positional: { kind: 'tuple', parameters: [textArgument('The .apk or .ipa', 'file')] },
    flags: remoteFlags,
  },
  func(flags, file) {
    return createFromFile(this.io, flags, file)
  },
})

async function createFromFile(io: Io, flags: RemoteFlags, file: string): Promise<void> {
  const { client } = await openSession(io, flags)
  const build = await client.builds.upload({ alias: null, file: resolve(io.cwd, file), signal: io.signal })
  writeResult(io, flags.json, build, () => writeBuild(io, build))
}
