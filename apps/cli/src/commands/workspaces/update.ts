import { buildCommand } from '@stricli/core'
import { CliError } from '../../cli-error.ts'
import type { CliContext } from '../../context.ts'
import { remoteFlags, type RemoteFlags, textFlag } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'
import { writeWorkspace } from '../../workspace/write-workspace.ts'

interface Flags extends RemoteFlags {
  readonly name?: string
  readonly linkDays?: number
  readonly keepDays?: number | 'all'
  readonly twoFactor?: 'required' | 'optional'
}

export const command = buildCommand<Flags, [], CliContext>({
  docs: { brief: 'Change the settings of the workspace' },
  parameters: {
    flags: {
      name: textFlag('Name that people see', 'name'),
      linkDays: {
        kind: 'parsed',
        parse: parseDays,
        brief: 'Days of an install link',
        placeholder: 'n',
        optional: true,
      },
      keepDays: {
        kind: 'parsed',
        parse: (text: string) => (text === 'all' ? 'all' : parseDays(text)),
        brief: 'Days after which builds are deleted; "all" keeps them',
        placeholder: 'n|all',
        optional: true,
      },
      twoFactor: {
        kind: 'enum',
        values: ['required', 'optional'],
        brief: 'Whether members sign in with a second factor',
        optional: true,
      },
      ...remoteFlags,
    },
  },
  func(flags) {
    return updateWorkspace(this.io, flags)
  },
})

function parseDays(text: string): number {
  if (/^[1-9][0-9]{0,3}$/.test(text)) return Number(text)
  throw new SyntaxError(`${JSON.stringify(text)} is not a number of days`)
}

async function updateWorkspace(io: Io, flags: Flags): Promise<void> {
  const { name, linkDays, keepDays, twoFactor } = flags
  const isTwoFactorRequired = twoFactor === undefined ? undefined : twoFactor === 'required'
  const retentionDays = keepDays === 'all' ? null : keepDays
  const change = { name, linkLifetimeDays: linkDays, retentionDays, isTwoFactorRequired }
  if (Object.values(change).every((value) => value === undefined)) {
    throw new CliError('usage', 'Nothing is to be changed', {
      fix: 'Run the command with --help to see what it takes.',
    })
  }
  const { client } = await openSession(io, flags)
  const workspace = await client.workspace.update(change, { signal: io.signal })
  writeResult(io, flags.json, workspace, () => writeWorkspace(io, workspace))
}
