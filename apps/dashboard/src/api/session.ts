import { RequestError } from '@fairlead/client'
import type { Role, Session } from '@fairlead/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { takeEarly } from '../early/early-answers.ts'
import { sessionRequest } from '../early/requests.ts'
import { useChosenWorkspace } from './chosen-workspace.ts'
import { isOfWorkspace, queryClient, sessionKey } from './client.ts'

/** Who is signed in; null when nobody is. */
export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: async (): Promise<Session | null> => {
    try {
      return await takeEarly(sessionRequest)
    } catch (error) {
      if (error instanceof RequestError && error.httpStatus === 401) return null
      throw error
    }
  },
  staleTime: 5 * 60_000,
})

const ranks: Record<Role, number> = { viewer: 0, developer: 1, admin: 2 }

/** The session, the workspace at hand, and whether the role in it is enough for something. */
export function useSession() {
  const { data: session } = useQuery(sessionQuery)
  const workspace = useChosenWorkspace(session?.workspaces ?? [])
  if (!session) return undefined
  const role = workspace?.role ?? 'viewer'
  return { ...session, workspace, role, can: (needed: Role) => ranks[role] >= ranks[needed] }
}

/** Whether the account may do what needs this role; what it may not do is not shown. */
export function useCan(needed: Role): boolean {
  return useSession()?.can(needed) ?? false
}

/** After signing in, setting up or joining: everything is asked for anew as this account. */
export function enterSession(session: Session): void {
  changeSession(session)
}

export function leaveSession(): void {
  changeSession(null)
}

function changeSession(session: Session | null): void {
  queryClient.setQueryData(sessionKey, session)
  // Nothing that one account saw may be shown to the next.
  queryClient.removeQueries({ predicate: isOfWorkspace })
}
