import type { Db } from '../db/open.ts'
import type { Row } from '../db/schema.ts'
import { deleteTokensOf, listTokensOf } from './store.ts'

/** Lists the API tokens that a person made, in all workspaces, newest first. */
export async function listTokensOfAccount(
  db: Db,
  accountId: number,
): Promise<(Row<'api_tokens'> & { workspace_name: string })[]> {
  return listTokensOf(db, accountId)
}

/** Revokes the API tokens that a person made, in all workspaces, and returns them. */
export async function revokeTokensOf(
  trx: Db,
  accountId: number,
): Promise<{ id: number; name: string; workspace_id: number }[]> {
  return deleteTokensOf(trx, accountId)
}
