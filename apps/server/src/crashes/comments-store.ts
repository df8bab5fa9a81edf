import type { Db } from '../db/open.ts'

export interface CommentRecord {
  id: number
  text: string
  created_at: number
  author: string | null
}

export async function listComments(db: Db, groupId: number): Promise<CommentRecord[]> {
  return db
    .selectFrom('crash_comments')
    .leftJoin('accounts', 'accounts.id', 'crash_comments.account_id')
    .select(['crash_comments.id', 'crash_comments.text', 'crash_comments.created_at', 'accounts.name as author'])
    .where('group_id', '=', groupId)
    .orderBy('crash_comments.id')
    .execute()
}

export async function insertComment(
  db: Db,
  values: { group_id: number; account_id: number | null; text: string },
): Promise<{ id: number; created_at: number }> {
  return db
    .insertInto('crash_comments')
    .values({ ...values, created_at: Date.now() })
    .returning(['id', 'created_at'])
    .executeTakeFirstOrThrow()
}
