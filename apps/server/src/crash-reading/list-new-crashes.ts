import type { PreparedCrash } from '@fairlead/crashes'
import type { Db } from '../db/open.ts'
import type { Row } from '../db/schema.ts'
import { correctTime } from '../crash-releases/clock.ts'
import { listKnownCrashes } from './counters-store.ts'
import type { ReadBatch } from './read-batch.ts'
import type { ReleaseName } from '../crash-releases/releases-store.ts'

/** A crash that is not stored yet, with the times by our clock. */
export interface NewCrash {
  crash: PreparedCrash
  occurredAt: number
  receivedAt: number
  release: Row<'releases'>
}

/** Finds the release of a name, or creates it. */
export type ReleaseFinder = (name: ReleaseName) => Promise<Row<'releases'>>

/** Lists the crashes that were not stored before, each once. */
export async function listNewCrashes(
  trx: Db,
  applicationId: number,
  rows: ReadBatch['rows'],
  findRelease: ReleaseFinder,
  drop: (reason: string) => void,
): Promise<NewCrash[]> {
  const all = rows.flatMap(({ row, delivery }) =>
    (delivery?.crashes ?? []).map((crash) => ({ crash, row, sentAt: delivery?.sentAt ?? null })),
  )
  const seen = await listKnownCrashes(
    trx,
    applicationId,
    all.map(({ crash }) => crash.sourceId),
  )
  const fresh: NewCrash[] = []
  for (const { crash, row, sentAt } of all) {
    const key = `${crash.source} ${crash.sourceId}`
    if (seen.has(key)) {
      drop('duplicate')
      continue
    }
    seen.add(key)
    const receivedAt = row.received_at
    const occurredAt = correctTime(crash.occurredAt, { sentAt, receivedAt })
    fresh.push({ crash, occurredAt, receivedAt, release: await findRelease(crash) })
  }
  return fresh
}
