import { buildCommand } from '@stricli/core'
import { CliError } from '../../cli-error.ts'
import type { CliContext } from '../../context.ts'
import { listFlag, remoteFlags, type RemoteFlags, textArgument, textFlag } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { requireApplication } from '../../lookups/application.ts'
import {
  type HookEvent,
  hookEvents,
  type HookFormat,
  hookFormats,
  type HookInclude,
  hookIncludes,
} from '../../lookups/hook-values.ts'
import { writeFields, writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

interface Flags extends RemoteFlags {
  readonly event?: readonly HookEvent[]
  readonly format: HookFormat
  readonly app?: readonly string[]
  readonly include?: readonly HookInclude[]
  readonly urlEnv?: string
}

export const command = buildCommand<Flags, [name: string, url?: string], CliContext>({
  docs: { brief: 'Create a hook, which tells another system or a chat of events' },
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [
        textArgument('Name of the hook', 'name'),
        { ...textArgument('Address that it sends to', 'url'), optional: true },
      ],
    },
    flags: {
      event: {
        kind: 'enum',
        values: hookEvents,
        brief: 'An event; all but installs by default',
        optional: true,
        variadic: true,
      },
      format: { kind: 'enum', values: hookFormats, brief: 'Form of the messages', default: 'standard' },
      app: listFlag('Only events of this application, by its alias', 'alias'),
      include: {
        kind: 'enum',
        values: hookIncludes,
        brief: 'What is sent beside ids, links and small facts',
        optional: true,
        variadic: true,
      },
      urlEnv: textFlag('Environment variable that holds the address, which is a secret of most chats', 'name'),
      ...remoteFlags,
    },
  },
  func(flags, name, url) {
    return createHook(this.io, flags, name, url)
  },
})

async function createHook(io: Io, flags: Flags, name: string, url: string | undefined): Promise<void> {
  const address = flags.urlEnv === undefined ? url : io.env[flags.urlEnv]
  if (address === undefined || address === '') throw new CliError('usage', 'Give the address, or --url-env')
  const { client } = await openSession(io, flags)
  const applicationIds: number[] = []
  for (const alias of flags.app ?? []) applicationIds.push((await requireApplication(io, client, alias)).id)
  const hook = await client.hooks.create(
    {
      name,
      url: address,
      events: flags.event === undefined ? ['*'] : [...flags.event],
      format: flags.format,
      ...(applicationIds.length > 0 && { applicationIds }),
      includes: [...(flags.include ?? [])],
    },
    { signal: io.signal },
  )
  writeResult(io, flags.json, hook, () =>
    writeFields(io, [
      ['Hook', hook.id],
      ['Secret', hook.format === 'standard' ? `${hook.secret} (shown only now)` : null],
    ]),
  )
}
