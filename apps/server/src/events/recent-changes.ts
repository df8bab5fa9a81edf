import { randomBytes } from 'node:crypto'
import type { FeedMessage } from '../db/change-feed.ts'

export type Change = Extract<FeedMessage, { type: 'change' }>

/** How many changes are kept for clients that come back. */
const limit = 2000

/** The newest changes of all workspaces, for clients whose stream was interrupted. */
export interface RecentChanges {
  /** The id that a client may come back with to miss nothing from now on. */
  newestId(): string
  add(changes: readonly Change[]): void
  /**
   * Returns the changes since an id, and once more those of the transaction that it names, which may have been sent in
   * part. Undefined if the id is unknown or so old that some were dropped.
   */
  listSince(id: string): Change[] | undefined
  /** Forgets everything after a gap, so that no client is told that it missed nothing. */
  clear(): void
}

export function createRecentChanges(): RecentChanges {
  let changes: Change[] = []
  let firstId = createId()
  return {
    newestId: () => changes.at(-1)?.id ?? firstId,
    add(added) {
      changes.push(...added)
      // Dropping many at a time keeps the cost of moving the rest small.
      if (changes.length < limit * 2) return
      changes = changes.slice(-limit)
      firstId = createId()
    },
    listSince(id) {
      if (id === firstId) return [...changes]
      const index = changes.findIndex((change) => change.id === id)
      return index === -1 ? undefined : changes.slice(index)
    },
    clear() {
      changes = []
      firstId = createId()
    },
  }
}

function createId(): string {
  return randomBytes(9).toString('base64url')
}
