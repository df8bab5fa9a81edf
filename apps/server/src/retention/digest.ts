import type { AppContext } from '../context.ts'
import { transact } from '../db/transact.ts'
import { enqueueMails } from '../mails/enqueue.ts'
import { dayMs } from './judge.ts'
import { createDigest } from './mails.ts'
import { sumRunsSince } from './run-store.ts'
import { claimDigests, listAdministrators, listDigests } from './store.ts'

const weekMs = 7 * dayMs

/** Mails the administrators of each workspace once a week what rules removed, if they removed anything. */
export async function mailDigests({ db, config }: Pick<AppContext, 'db' | 'config'>, now: number): Promise<void> {
  // Nearly always there is nothing to tell, and then no transaction has to wait for others.
  if ((await listDigests(db, now - weekMs)).length === 0) return
  await transact(db, async (trx) => {
    for (const workspaceId of await claimDigests(trx, now - weekMs, now)) {
      const sums = await sumRunsSince(trx, workspaceId, now - weekMs)
      if (sums.length === 0) continue
      const figures = sums.map(({ id, name, count, bytes }) => ({
        applicationId: id,
        name,
        // PostgreSQL's sum of bigint is numeric, which arrives as text.
        count: Number(count),
        bytes: Number(bytes),
        freedBytes: null,
      }))
      const { baseUrl, trashDays } = config
      const recipients = await listAdministrators(trx, workspaceId)
      const mails = recipients.map((recipient) => createDigest({ recipient, baseUrl, figures, trashDays }))
      await enqueueMails({ db: trx, config }, workspaceId, mails)
    }
  })
}
