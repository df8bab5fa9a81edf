import { setImmediate } from 'node:timers/promises'
import type { ListBuilds } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import type { Place } from './sort-store.ts'
import { searchSlice } from './store.ts'

/** Builds compared by one statement. The embedded database runs it on the thread that answers requests. */
const sliceSize = 500

/**
 * Iterates over the builds that hold the words of the filter, newest first. Other requests are answered between the
 * slices, so that a search of any number of builds holds nobody up.
 */
export async function* searchBuilds(
  { db, config }: Pick<AppContext, 'db' | 'config'>,
  applicationId: number,
  filter: ListBuilds,
): AsyncGenerator<Place[]> {
  const engine = config.databaseUrl === null ? 'sqlite' : 'postgres'
  let below: number | undefined
  for (;;) {
    const slice = await searchSlice(db, engine, applicationId, filter, { below, limit: sliceSize })
    yield slice.filter(({ isMatch }) => isMatch)
    if (slice.length < sliceSize) return
    below = slice.at(-1)?.id
    await setImmediate()
  }
}
