import type { AccountRow } from '../accounts/account.ts'
import type { AppContext } from '../context.ts'
import { toNetwork } from '../passwords/network.ts'
import { listSessionRows } from './store.ts'

/** Returns a function that tells whether an account has a session that began in the network of an address. */
export function createNetworkCheck(
  { db }: Pick<AppContext, 'db'>,
  account: AccountRow | undefined,
  address: string,
): () => Promise<boolean> {
  const network = toNetwork(address)
  return async () => {
    if (!account) return false
    const sessions = await listSessionRows(db, account.id)
    return sessions.some((session) => session.address !== null && toNetwork(session.address) === network)
  }
}
