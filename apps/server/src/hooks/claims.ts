import { invariant } from '@fairlead/invariant'
import type { Db } from '../db/open.ts'
import type { Row } from '../db/schema.ts'
import type { AppContext } from '../context.ts'
import { extendClaims, releaseClaim } from './queue-store.ts'

type Claimed = Row<'hook_deliveries'>

/**
 * How long a claim lasts, in milliseconds. What a killed process had claimed counts as being delivered until its claim
 * ends, and may take all places of a hook, so a claim is short, and renewed while its attempt runs.
 */
export const leaseMs = 10_000
const renewMs = 3000

/** The claims of the attempts that this process is making. */
export interface Claims extends Disposable {
  /** Renews the claim of a delivery from now on, also in the given row, because its claim identifies the holder. */
  keep(delivery: Claimed): void
  /** Renews the claim no more. Await it before the row is used to record how the attempt ended. */
  drop(delivery: Claimed): Promise<void>
  /** Ends the claim of a delivery that was not attempted, so that another process takes it at once. */
  release(delivery: Claimed): Promise<void>
}

export function keepClaims({ db, log }: Pick<AppContext, 'db' | 'log'>): Claims {
  const kept = new Map<number, Claimed>()
  let renewal: Promise<void> | undefined

  const renew = () => {
    renewal ??= renewAll(db, kept)
      .catch((error: unknown) => log.error({ err: error }, 'the claims of deliveries cannot be renewed'))
      .finally(() => (renewal = undefined))
  }
  const timer = setInterval(renew, renewMs)

  async function drop({ id }: Claimed): Promise<void> {
    kept.delete(id)
    await renewal
  }

  return {
    keep: (delivery) => void kept.set(delivery.id, delivery),
    drop,
    async release(delivery) {
      await drop(delivery)
      await releaseClaim(db, delivery)
    },
    [Symbol.dispose]: () => clearInterval(timer),
  }
}

function endOf({ claimed_until: until }: Claimed): number {
  invariant(until !== null, 'a delivery that is being sent is claimed')
  return until
}

/** Renews what has run for a while. Most attempts have ended by then, and cost nothing. */
async function renewAll(db: Db, kept: ReadonlyMap<number, Claimed>): Promise<void> {
  const now = Date.now()
  const aged = [...kept.values()].filter((delivery) => endOf(delivery) < now + leaseMs - renewMs / 2)
  for (const [until, deliveries] of Map.groupBy(aged, endOf)) {
    const next = now + leaseMs
    const ids = await extendClaims(
      db,
      deliveries.map(({ id }) => id),
      { until, next },
    )
    // A claim that ended meanwhile may be another's.
    for (const delivery of deliveries) if (ids.has(delivery.id)) delivery.claimed_until = next
  }
}
