import { setTimeout } from 'node:timers/promises'
import { buildCommand } from '@stricli/core'
import { CliError } from '../../cli-error.ts'
import type { CliContext } from '../../context.ts'
import { idArgument, remoteFlags, type RemoteFlags } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { writeLine, writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

export const command = buildCommand<RemoteFlags, [id: number], CliContext>({
  docs: { brief: 'Send a test to a hook, and wait for the first answer' },
  parameters: { positional: { kind: 'tuple', parameters: [idArgument('Id of the hook')] }, flags: remoteFlags },
  func(flags, id) {
    return testHook(this.io, flags, id)
  },
})

/** An attempt takes at most twenty seconds, and may wait behind others. */
const waitMs = 60_000
const pauseMs = 300

async function testHook(io: Io, flags: RemoteFlags, id: number): Promise<void> {
  const { client } = await openSession(io, flags)
  const { id: deliveryId } = await client.hooks.test(id, { signal: io.signal })
  const end = Date.now() + waitMs
  for (;;) {
    const delivery = await client.hooks.getDelivery(deliveryId, { signal: io.signal })
    if (delivery.attemptCount > 0 || delivery.state !== 'waiting') {
      const { lastStatus, lastError } = delivery
      if (lastError !== null) {
        throw new CliError(
          'refused',
          `The receiver did not take the test: ${lastError}, status ${lastStatus ?? 'none'}`,
        )
      }
      writeResult(io, flags.json, delivery, () => writeLine(io, `The receiver answered ${lastStatus}`))
      return
    }
    if (Date.now() > end) throw new CliError('refused', 'The test was not sent within a minute')
    await setTimeout(pauseMs, undefined, { signal: io.signal })
  }
}
