import type { AppContext } from '../context.ts'
import type { Caller } from '../http/caller.ts'

/** One call of a tool, and who makes it. */
export interface Call {
  context: AppContext
  caller: Caller
  tokenId: number
  /** The address and the program of the caller, for the audit log. */
  address: string
  userAgent: string | undefined
  /** Whether the workspace lets agents write, and the address of the call is for that. */
  mayWrite: boolean
  /** The name of the agent as it gave it, cut; null if it gave none. */
  client: string | null
  /** Aborted when nobody waits for the answer any more. */
  signal: AbortSignal
  /** How many rows an answer may have of those that it would have; below 1 when the whole answer was too long. */
  share: number
}

/** Returns how many rows of a list the answer may have. */
export function shareOf({ share }: Pick<Call, 'share'>, rows: number): number {
  return Math.max(1, Math.floor(rows * share))
}
