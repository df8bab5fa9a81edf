import type { Role } from '@fairlead/contract'

/** The authenticated caller: an API token or a member, with a role in one workspace. */
export interface Caller {
  workspaceId: number
  role: Role
  /** Shown as `uploadedBy`. */
  name: string
  /** The account behind a session; null for an API token. */
  accountId: number | null
  /** The API token; null for a session. */
  apiTokenId: number | null
  /** Epoch milliseconds until which the same token may skip authentication, if nothing is written; 0 for a session. */
  knownUntil: number
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller
  }
  interface FastifyContextConfig {
    /** The lowest role that may call the route. Without it, only administrators may. */
    role?: Role
  }
}
