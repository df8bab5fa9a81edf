import type { Mail, Page } from '@fairlead/contract'
import type { Db } from '../db/open.ts'
import { type Paged, toPage } from '../db/paging.ts'
import { type MailRow, toMail } from './mail.ts'
import { countMails, listMailRows } from './store.ts'

/** A list without a limit returns every mail, so it is read and sent in slices of this many rows. */
const sliceSize = 100

/** Reads one page of the outbox. */
export async function listMails(db: Db, workspaceId: number, page: Page & { limit: number }): Promise<Paged<MailRow>> {
  const rows = await listMailRows(db, workspaceId, { below: page.cursor, limit: page.limit + 1 })
  return toPage(rows, page, await countMails(db, workspaceId))
}

/** Iterates over mails one by one. A mail with its release notes is long, so only one at a time is in memory. */
export async function* toMails(rows: MailRow[]): AsyncGenerator<Mail[]> {
  for (const row of rows) yield [toMail(row)]
}

/** Iterates over the whole outbox, slice by slice. */
export async function* iterateMails(db: Db, workspaceId: number, page: Page): AsyncGenerator<Mail[]> {
  let below = page.cursor
  for (;;) {
    const rows = await listMailRows(db, workspaceId, { below, limit: sliceSize })
    yield* toMails(rows)
    if (rows.length < sliceSize) return
    below = rows.at(-1)?.id
  }
}
