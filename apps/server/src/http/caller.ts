import type { Role } from '@fairlead/contract'

/** Who asks: a token's or a member's rights in one workspace. */
export interface Caller {
  workspaceId: number
  role: Role
  /** Shown as `uploadedBy`. */
  name: string
  /** The account behind a session; null for a token. */
  accountId: number | null
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller
  }
  interface FastifyContextConfig {
    /** The least role that may call the route; without one only an administrator may. */
    role?: Role
  }
}
