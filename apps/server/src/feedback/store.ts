import type { FeedbackRule, FeedbackStatus } from '@fairlead/contract'
import type { Insertable } from 'kysely'
import { selectInBatches } from '../db/in-batches.ts'
import type { Db } from '../db/open.ts'
import { countAll, cutRows, maxUnpaged, type Paged } from '../db/paging.ts'
import type { Row, Schema } from '../db/schema.ts'
import { visibleBuilds } from '../db/visible-builds.ts'
import type { FeedbackRecord, PictureRecord } from './feedback.ts'

/** Which feedback a list has. */
export interface FeedbackScope {
  applicationId?: number
  buildId?: number
  status?: FeedbackStatus | undefined
}

/** Feedback to a build in the trash is as deleted, like the build. */
function selectFeedback(db: Db, { applicationId, buildId, status }: FeedbackScope) {
  let query = db.selectFrom('feedback').innerJoin(visibleBuilds, 'builds.id', 'feedback.build_id')
  if (applicationId !== undefined) query = query.where('feedback.application_id', '=', applicationId)
  if (buildId !== undefined) query = query.where('feedback.build_id', '=', buildId)
  if (status !== undefined) query = query.where('feedback.status', '=', status)
  return query
}

function selectRecords(db: Db, scope: FeedbackScope) {
  return selectFeedback(db, scope)
    .leftJoin('testers', 'testers.id', 'feedback.tester_id')
    .selectAll('feedback')
    .select(['testers.email as tester_email', 'testers.name as tester_name'])
}

export async function findFeedbackRecord(db: Db, workspaceId: number, id: number): Promise<FeedbackRecord | undefined> {
  const rows = await selectRecords(db, {})
    .where('feedback.workspace_id', '=', workspaceId)
    .where('feedback.id', '=', id)
    .execute()
  const [record] = await addPictures(db, rows)
  return record
}

/** Lists feedback, newest first. */
export async function listFeedbackRecords(
  db: Db,
  scope: FeedbackScope,
  { limit, cursor }: { limit?: number | undefined; cursor?: number | undefined },
): Promise<Paged<FeedbackRecord>> {
  let query = selectRecords(db, scope)
    .orderBy('feedback.id', 'desc')
    .limit((limit ?? maxUnpaged) + 1)
  if (cursor !== undefined) query = query.where('feedback.id', '<', cursor)
  const count = selectFeedback(db, scope).select(countAll)
  const page = await cutRows({ rows: await query.execute(), limit, toCursor: ({ id }) => String(id), count })
  return { ...page, items: await addPictures(db, page.items) }
}

type FeedbackRow = Omit<FeedbackRecord, 'pictures'>

async function addPictures(db: Db, rows: FeedbackRow[]): Promise<FeedbackRecord[]> {
  const pictures = await selectInBatches(
    rows.map(({ id }) => id),
    (ids) => selectPictures(db).where('feedback_id', 'in', ids).execute(),
  )
  const byFeedback = Map.groupBy(pictures, (picture) => picture.feedback_id)
  return rows.map((row) => ({ ...row, pictures: byFeedback.get(row.id) ?? [] }))
}

function selectPictures(db: Db) {
  return db
    .selectFrom('feedback_pictures')
    .innerJoin('blobs', 'blobs.id', 'feedback_pictures.blob_id')
    .select(['feedback_id', 'number', 'blob_id', 'content_type', 'width', 'height', 'blobs.size'])
    .orderBy('feedback_id')
    .orderBy('number')
}

/** Says who may send feedback to a workspace. */
export async function readFeedbackRule(db: Db, workspaceId: number): Promise<FeedbackRule> {
  const { feedback } = await db
    .selectFrom('workspaces')
    .select('feedback')
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return feedback
}

/** Finds a tester of a personal link, who may have been removed since. */
export async function findSender(
  db: Db,
  workspaceId: number,
  testerId: number,
): Promise<Pick<Row<'testers'>, 'id' | 'email' | 'name'> | undefined> {
  return db
    .selectFrom('testers')
    .select(['id', 'email', 'name'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', testerId)
    .executeTakeFirst()
}

export async function insertFeedback(
  trx: Db,
  values: Insertable<Schema['feedback']>,
  pictures: Omit<Row<'feedback_pictures'>, 'feedback_id' | 'workspace_id' | 'number'>[],
): Promise<number> {
  const { id } = await trx.insertInto('feedback').values(values).returning('id').executeTakeFirstOrThrow()
  const rows = pictures.map((picture, index) => ({
    ...picture,
    feedback_id: id,
    workspace_id: values.workspace_id,
    number: index + 1,
  }))
  if (rows.length > 0) await trx.insertInto('feedback_pictures').values(rows).execute()
  return id
}

export async function updateFeedbackStatus(
  db: Db,
  { workspace_id: workspaceId, id }: Pick<Row<'feedback'>, 'workspace_id' | 'id'>,
  status: FeedbackStatus,
): Promise<void> {
  await db
    .updateTable('feedback')
    .set({ status })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/** Deletes feedback with its pictures. Returns their blobs, or undefined when it was deleted already. */
export async function deleteFeedback(
  trx: Db,
  { workspace_id: workspaceId, id }: Pick<Row<'feedback'>, 'workspace_id' | 'id'>,
): Promise<PictureRecord['blob_id'][] | undefined> {
  const pictures = await selectPictures(trx).where('feedback_id', '=', id).execute()
  const deleted = await trx
    .deleteFrom('feedback')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return deleted && pictures.map((picture) => picture.blob_id)
}
