/** The attachments of cases, whether they passed or failed, by the attempts that they belong to. */
import type { AttachmentOfResult } from '@fairlead/contract'
import type { Db } from '../db/open.ts'
import { maxUnpaged } from '../db/paging.ts'
import { listAttachmentRows, listRowsOfTest, type PlacedRow } from './result-attachment-store.ts'

/** The case of a row, and the number of its attempts in the rows before. */
interface Place {
  case: number
  before: number
}

/** Lists the attachments of a test in a run, by environment, case and attempt. */
export async function listAttachmentsOfResults(db: Db, runId: number, testId: number): Promise<AttachmentOfResult[]> {
  const places = placeRows(await listRowsOfTest(db, runId, testId))
  const attachments = await listAttachmentRows(db, runId, testId, maxUnpaged)
  const placed = attachments.flatMap((row) => {
    const place = places.get(toRowKey(row))
    if (!place) return []
    const { id, name, content_type: contentType, size, environment } = row
    const attempt = row.attempt === null ? null : place.before + row.attempt
    return [{ id, name, contentType, size, attempt, environment, case: place.case }]
  })
  return placed.toSorted(
    (a, b) =>
      compare(a.environment ?? '', b.environment ?? '') ||
      a.case - b.case ||
      (a.attempt ?? 0) - (b.attempt ?? 0) ||
      a.id - b.id,
  )
}

/** A row that is an earlier attempt belongs to the case of the row that it was retried by. */
function placeRows(rows: PlacedRow[]): Map<string, Place> {
  const heads = rows.filter(({ case_number }) => case_number !== null)
  const earlierOf = Map.groupBy(rows, ({ environment_id, retried_by }) => `${environment_id} ${retried_by}`)
  const places = new Map<string, Place>()
  for (const head of heads) {
    const earlier = earlierOf.get(`${head.environment_id} ${head.report_id}.${head.number}`) ?? []
    let before = 0
    for (const row of [...earlier, head]) {
      places.set(toRowKey(row), { case: head.case_number ?? 1, before })
      before += row.attempts
    }
  }
  return places
}

function toRowKey(row: { environment_id: number; report_id: number; number: number }): string {
  return `${row.environment_id} ${row.report_id} ${row.number}`
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
