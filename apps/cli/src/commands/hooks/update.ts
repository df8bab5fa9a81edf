import { buildCommand } from '@stricli/core'
import { CliError } from '../../cli-error.ts'
import type { CliContext } from '../../context.ts'
import { idArgument, remoteFlags, type RemoteFlags, textFlag } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { type HookEvent, hookEvents, type HookInclude, hookIncludes } from '../../lookups/hook-values.ts'
import { toShownLine } from '../../output/shown-text.ts'
import { writeLine, writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

interface Flags extends RemoteFlags {
  readonly name?: string
  readonly url?: string
  readonly urlEnv?: string
  readonly event?: readonly HookEvent[]
  readonly include?: readonly HookInclude[]
  readonly state?: 'on' | 'off'
}

export const command = buildCommand<Flags, [id: number], CliContext>({
  docs: { brief: 'Change a hook, or turn it on or off' },
  parameters: {
    positional: { kind: 'tuple', parameters: [idArgument('Id of the hook')] },
    flags: {
      name: textFlag('Its new name', 'name'),
      url: textFlag('Address that it sends to', 'url'),
      urlEnv: textFlag('Environment variable that holds the address, which is a secret of most chats', 'name'),
      event: { kind: 'enum', values: hookEvents, brief: 'The events from now on', optional: true, variadic: true },
      include: {
        kind: 'enum',
        values: hookIncludes,
        brief: 'What is sent beside ids, links and small facts, from now on',
        optional: true,
        variadic: true,
      },
      state: { kind: 'enum', values: ['on', 'off'], brief: 'Turn it on or off', optional: true },
      ...remoteFlags,
    },
  },
  func(flags, id) {
    return updateHook(this.io, flags, id)
  },
})

async function updateHook(io: Io, flags: Flags, id: number): Promise<void> {
  const { name, event, include, state, urlEnv } = flags
  const url = urlEnv === undefined ? flags.url : io.env[urlEnv]
  if (urlEnv !== undefined && !url) throw new CliError('usage', `${urlEnv} is not set`)
  const changes = {
    ...(name !== undefined && { name }),
    ...(url !== undefined && { url }),
    ...(event !== undefined && { events: [...event] }),
    ...(include !== undefined && { includes: [...include] }),
    ...(state !== undefined && { isEnabled: state === 'on' }),
  }
  if (Object.keys(changes).length === 0) throw new CliError('usage', 'Say what to change: see --help')
  const { client } = await openSession(io, flags)
  const hook = await client.hooks.update(id, changes, { signal: io.signal })
  writeResult(io, flags.json, hook, () =>
    writeLine(io, `The hook ${toShownLine(hook.name)} is ${hook.isEnabled ? 'on' : 'off'}`),
  )
}
