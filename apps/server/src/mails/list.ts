import type { Mail, Page } from '@fairlead/contract'
import type { Db } from '../db/open.ts'
import { type Paged, toPage } from '../db/paging.ts'
import { toMail } from './mail.ts'
import { countMails, listMailRows } from './store.ts'

/** A list without a limit returns every mail, so it is read and sent in slices of this many rows. */
const sliceSize = 100

/** Returns one page of the outbox. */
export async function listMails(db: Db, workspaceId: number, page: Page & { limit: number }): Promise<Paged<Mail>> {
  const rows = await listMailRows(db, workspaceId, { below: page.cursor, limit: page.limit + 1 })
  return toPage(rows.map(toMail), page, await countMails(db, workspaceId))
}

/** Iterates over the whole outbox, slice by slice. */
export async function* iterateMails(db: Db, workspaceId: number, page: Page): AsyncGenerator<Mail[]> {
  let below = page.cursor
  for (;;) {
    const rows = await listMailRows(db, workspaceId, { below, limit: sliceSize })
    yield rows.map(toMail)
    if (rows.length < sliceSize) return
    below = rows.at(-1)?.id
  }
}
