import type { Db } from '../db/open.ts'
import type { Row } from '../db/schema.ts'
import { findApiTokenRow } from './store.ts'

export async function findApiToken(db: Db, id: number): Promise<Row<'api_tokens'> | undefined> {
  return findApiTokenRow(db, id)
}
