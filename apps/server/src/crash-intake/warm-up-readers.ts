import type { AppContext } from '../context.ts'
import { hasCrashKeys } from './store.ts'

/** Starts the processes that read deliveries if an app may send any, so that the first one does not wait for them. */
export async function warmUpReaders({ db, readers }: Pick<AppContext, 'db' | 'readers'>): Promise<void> {
  if (await hasCrashKeys(db)) readers.deliveries.warmUp()
}
