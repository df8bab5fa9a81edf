import { buildCommand } from '@stricli/core'
import { CliError } from '../../cli-error.ts'
import type { CliContext } from '../../context.ts'
import { idArgument, remoteFlags, type RemoteFlags, textFlag } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { formatInstant } from '../../output/units.ts'
import { writeFields, writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

interface Flags extends RemoteFlags {
  readonly keepHours?: string
}

export const command = buildCommand<Flags, [id: number], CliContext>({
  docs: { brief: 'Give a hook a new secret' },
  parameters: {
    positional: { kind: 'tuple', parameters: [idArgument('Id of the hook')] },
    flags: {
      keepHours: textFlag('How long the old secret signs as well; 24 by default, at most 168', 'hours'),
      ...remoteFlags,
    },
  },
  func(flags, id) {
    return rotateSecret(this.io, flags, id)
  },
})

async function rotateSecret(io: Io, flags: Flags, id: number): Promise<void> {
  const { keepHours } = flags
  if (keepHours !== undefined && !/^\d{1,3}$/.test(keepHours)) {
    throw new CliError('usage', '--keep-hours takes a whole number')
  }
  const { client } = await openSession(io, flags)
  const body = keepHours === undefined ? {} : { keepOldHours: Number(keepHours) }
  const rotated = await client.hooks.rotateSecret(id, body, { signal: io.signal })
  writeResult(io, flags.json, rotated, () =>
    writeFields(io, [
      ['Secret', `${rotated.secret} (shown only now)`],
      ['Old secret', rotated.oldSecretUntilDate && `signs until ${formatInstant(rotated.oldSecretUntilDate)}`],
    ]),
  )
}
