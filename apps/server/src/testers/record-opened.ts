import type { AppContext } from '../context.ts'
import { insertInBatches } from '../db/in-batches.ts'
import { findOpened, insertOpened } from './opened-store.ts'

type Context = Pick<AppContext, 'db' | 'log'>
type Reader = { id: number; workspace_id: number }

/** Records that a tester's personal page of a build was opened, the first time. */
export async function recordOpened(context: Context, tester: Reader, buildId: number): Promise<void> {
  await withoutFailing(context, async () => {
    const known = await findOpened(context.db, buildId, tester.id)
    if (known === undefined || known.opened_at === null) await insertOpened(context.db, tester, [buildId])
  })
}

/** Records that the page with all builds of a tester showed these builds, none of which it showed before. */
export async function recordShown(context: Context, tester: Reader, buildIds: number[]): Promise<void> {
  await withoutFailing(context, () => insertInBatches(buildIds, (batch) => insertOpened(context.db, tester, batch)))
}

/** A page must not fail for its record, such as when the disk is full or the tester is deleted meanwhile. */
async function withoutFailing({ log }: Context, write: () => Promise<void>): Promise<void> {
  try {
    await write()
  } catch (error) {
    log.warn({ err: error }, 'a page that a tester opened could not be recorded')
  }
}
