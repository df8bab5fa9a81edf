import type { AppContext } from '../context.ts'
import type { AccountRow } from './account.ts'
import { findAccountRow, findAccountRowByEmail } from './store.ts'

export async function findAccount({ db }: Pick<AppContext, 'db'>, id: number): Promise<AccountRow | undefined> {
  return findAccountRow(db, id)
}

/** Finds the account of an e-mail address; upper and lower case are equal. */
export async function findAccountByEmail(
  { db }: Pick<AppContext, 'db'>,
  email: string,
): Promise<AccountRow | undefined> {
  return findAccountRowByEmail(db, email)
}
