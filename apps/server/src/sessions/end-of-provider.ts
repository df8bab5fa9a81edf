import type { Db } from '../db/open.ts'
import { deleteSessionsOfProvider } from './store.ts'

/** Ends the sessions through a provider that it names, and returns the accounts that they belonged to. */
export async function endSessionsOfProvider(
  db: Db,
  provider: string,
  logout: { issuer: string; subject: string | null; providerSession: string | null },
): Promise<number[]> {
  return deleteSessionsOfProvider(db, provider, logout)
}
