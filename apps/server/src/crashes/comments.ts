import type { CrashComment } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import type { Caller } from '../http/caller.ts'
import { toInstant } from '../http/instant.ts'
import { type CommentRecord, insertComment, listComments } from './comments-store.ts'

/** Lists the comments on a group, oldest first. */
export async function listCrashComments({ db }: Pick<AppContext, 'db'>, groupId: number): Promise<CrashComment[]> {
  return (await listComments(db, groupId)).map(toComment)
}

export async function addCrashComment(
  { db }: Pick<AppContext, 'db'>,
  caller: Caller,
  groupId: number,
  text: string,
): Promise<CrashComment> {
  const { id, created_at } = await insertComment(db, { group_id: groupId, account_id: caller.accountId, text })
  return toComment({ id, text, created_at, author: caller.accountId === null ? null : caller.name })
}

function toComment({ id, text, author, created_at: createdAt }: CommentRecord): CrashComment {
  return { id, text, author, createdDate: toInstant(createdAt) }
}
