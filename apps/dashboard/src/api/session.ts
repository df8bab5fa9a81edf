import type { Role, Session } from '@fairlead/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { readSession } from '../early/requests.ts'
import { useChosenWorkspace } from './chosen-workspace.ts'
import { client, isOfWorkspace, queryClient, sessionKey } from './client.ts'

/** The current session; null when nobody is signed in. */
export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: () => readSession(client),
  staleTime: 5 * 60_000,
})

const ranks: Record<Role, number> = { viewer: 0, developer: 1, admin: 2 }

/** The session, the current workspace, and a check of the role in it. */
export function useSession() {
  const { data: session } = useQuery(sessionQuery)
  const workspace = useChosenWorkspace(session?.workspaces ?? [])
  if (!session) return undefined
  const role = workspace?.role ?? 'viewer'
  return { ...session, workspace, role, can: (needed: Role) => ranks[role] >= ranks[needed] }
}

/** Whether the account has this role or a higher one in the current workspace. */
export function useCan(needed: Role): boolean {
  return useSession()?.can(needed) ?? false
}

/** Starts a session after signing in, setting up or joining, and forgets all cached data. */
export function enterSession(session: Session): void {
  changeSession(session)
}

export function leaveSession(): void {
  changeSession(null)
}

function changeSession(session: Session | null): void {
  queryClient.setQueryData(sessionKey, session)
  // Cached data of one account must not be shown to the next.
  queryClient.removeQueries({ predicate: isOfWorkspace })
}
