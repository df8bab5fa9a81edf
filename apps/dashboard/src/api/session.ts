import { RequestError } from '@fairlead/client'
import type { Role, Session } from '@fairlead/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useChosenWorkspace } from './chosen-workspace.ts'
import { client, isOfWorkspace, queryClient, sessionKey } from './client.ts'

/** The signed-in session; null when nobody is signed in. */
export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: async (): Promise<Session | null> => {
    try {
      return await client.access.getSession()
    } catch (error) {
      if (error instanceof RequestError && error.httpStatus === 401) return null
      throw error
    }
  },
  staleTime: 5 * 60_000,
})

const ranks: Record<Role, number> = { viewer: 0, developer: 1, admin: 2 }

/** Returns the session, the current workspace, and a check of the account's role in it. */
export function useSession() {
  const { data: session } = useQuery(sessionQuery)
  const workspace = useChosenWorkspace(session?.workspaces ?? [])
  if (!session) return undefined
  const role = workspace?.role ?? 'viewer'
  return { ...session, workspace, role, can: (needed: Role) => ranks[role] >= ranks[needed] }
}

/** Tells whether the account's role suffices. Actions that it may not perform are hidden. */
export function useCan(needed: Role): boolean {
  return useSession()?.can(needed) ?? false
}

/** Replaces the session after signing in, setting up or joining, and clears everything cached for the previous one. */
export function enterSession(session: Session): void {
  changeSession(session)
}

export function leaveSession(): void {
  changeSession(null)
}

function changeSession(session: Session | null): void {
  queryClient.setQueryData(sessionKey, session)
  // The next account must not see cached data of the previous one.
  queryClient.removeQueries({ predicate: isOfWorkspace })
}
