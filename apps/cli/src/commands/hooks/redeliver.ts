import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { idArgument, remoteFlags, type RemoteFlags, textFlag } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { parseDate } from '../../lookups/parse-date.ts'
import { writeLine, writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

interface Flags extends RemoteFlags {
  readonly since?: string
}

export const command = buildCommand<Flags, [id: number], CliContext>({
  docs: { brief: 'Send a delivery again; with --since, all events that a hook did not get' },
  parameters: {
    positional: { kind: 'tuple', parameters: [idArgument('Id of the delivery; with --since, of the hook')] },
    flags: {
      since: textFlag('Day or instant from which events are sent again', 'date'),
      ...remoteFlags,
    },
  },
  func(flags, id) {
    return redeliver(this.io, flags, id)
  },
})

async function redeliver(io: Io, flags: Flags, id: number): Promise<void> {
  const since = flags.since === undefined ? undefined : parseDate(flags.since)
  const { client } = await openSession(io, flags)
  if (since !== undefined) {
    const result = await client.hooks.redeliverSince(id, { since }, { signal: io.signal })
    writeResult(io, flags.json, result, () => writeLine(io, `${result.count} events are sent again`))
    return
  }
  const delivery = await client.hooks.redeliver(id, { signal: io.signal })
  writeResult(io, flags.json, delivery, () => writeLine(io, `It is sent again as delivery ${delivery.id}`))
}
