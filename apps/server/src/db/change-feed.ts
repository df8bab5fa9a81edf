import type { ChangeEvent } from '@fairlead/contract'

/** Who may have lost access: an account, a token, or everybody in a workspace. Null stands for any. */
export interface AccessChange {
  workspaceId: number | null
  accountId: number | null
  apiTokenId: number | null
}

/** Something that the database tells of after a commit. */
export type FeedMessage =
  /** Rows that people see have changed. The id is that of the transaction, the same in every process. */
  | { type: 'change'; id: string; workspaceId: number; event: ChangeEvent }
  /** A session, a membership or a token ended or changed. */
  | { type: 'access'; access: AccessChange }
  /** Messages may have been missed, because the connection to the database was lost. */
  | { type: 'gap' }

/**
 * Tells what has changed in the database, in the order of the commits, whichever process changed it. Triggers in the
 * database report the rows, so that no verb has to. See decision 029.
 */
export interface ChangeFeed {
  /** Listeners must not throw. Returns a function that ends the subscription. */
  subscribe(listener: (messages: FeedMessage[]) => void): () => void
}

/** The most ids of one message; beyond it, the ids are left out. */
export const maxIds = 100

/** Hands messages to all subscribers. */
export function createSubscribers(): ChangeFeed & { tell(messages: FeedMessage[]): void } {
  const listeners = new Set<(messages: FeedMessage[]) => void>()
  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    tell(messages) {
      for (const listener of listeners) listener(messages)
    },
  }
}
