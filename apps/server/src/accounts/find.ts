import type { AppContext } from '../context.ts'
import type { AccountRow } from './account.ts'
import { findAccountRow, findAccountRowByEmail, findAnyAccount } from './store.ts'

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

/** Returns whether anybody has an account on this server. */
export async function hasAnyAccount({ db }: Pick<AppContext, 'db'>): Promise<boolean> {
  return (await findAnyAccount(db)) !== undefined
}
