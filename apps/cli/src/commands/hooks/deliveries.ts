import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { idArgument, remoteFlags, type RemoteFlags } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { type DeliveryState, deliveryStates, type HookEvent, hookEvents } from '../../lookups/hook-values.ts'
import { writeTable } from '../../output/table.ts'
import { formatInstant } from '../../output/units.ts'
import { writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

interface Flags extends RemoteFlags {
  readonly state?: DeliveryState
  readonly type?: HookEvent
}

export const command = buildCommand<Flags, [id: number], CliContext>({
  docs: { brief: 'List the newest deliveries of a hook' },
  parameters: {
    positional: { kind: 'tuple', parameters: [idArgument('Id of the hook')] },
    flags: {
      state: { kind: 'enum', values: deliveryStates, brief: 'Only those in this state', optional: true },
      type: { kind: 'enum', values: hookEvents, brief: 'Only those of this event', optional: true },
      ...remoteFlags,
    },
  },
  func(flags, id) {
    return listDeliveries(this.io, flags, id)
  },
})

const shown = 50

async function listDeliveries(io: Io, flags: Flags, id: number): Promise<void> {
  const { state, type } = flags
  const { client } = await openSession(io, flags)
  const { items } = await client.hooks.listDeliveries(id, { limit: shown, state, type }, { signal: io.signal })
  writeResult(io, flags.json, items, () =>
    writeTable(io, items, [
      { title: 'ID', value: ({ id: deliveryId }) => deliveryId, align: 'right' },
      { title: 'EVENT', value: (delivery) => delivery.type },
      { title: 'STATE', value: (delivery) => delivery.state },
      { title: 'ATTEMPTS', value: ({ attemptCount }) => attemptCount, align: 'right' },
      { title: 'STATUS', value: ({ lastStatus }) => lastStatus, align: 'right' },
      { title: 'ERROR', value: ({ lastError }) => lastError },
      { title: 'CREATED', value: ({ createdDate }) => formatInstant(createdDate) },
    ]),
  )
}
