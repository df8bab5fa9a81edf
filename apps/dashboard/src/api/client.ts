import { createClient, RequestError } from '@fairlead/client'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import type { Session } from '@fairlead/contract'
import { chooseWorkspace } from './chosen-workspace.ts'

export const sessionKey = ['session']

/** Caches the server's answers; the client also reads the session's headers from it. */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: forgetEndedSession }),
  mutationCache: new MutationCache({
    onError: forgetEndedSession,
    // A write may affect any query, so those on screen are refetched before the write counts as done.
    onSuccess: () => queryClient.invalidateQueries({ predicate: isOfWorkspace }),
  }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failures, error) => failures < 2 && error instanceof RequestError && isPassing(error),
    },
  },
})

/** Tells whether a query belongs to the workspace, as every query but the session does. */
export function isOfWorkspace({ queryKey }: { queryKey: readonly unknown[] }): boolean {
  return queryKey[0] !== sessionKey[0]
}

/** Queries are tried again by the query client, and a person repeats an upload that failed. */
export const client = createClient({ baseUrl: '', headers: toSessionHeaders, retries: 0 })

function toSessionHeaders(): Record<string, string> {
  const session = queryClient.getQueryData<Session | null>(sessionKey)
  if (!session) return {}
  const workspace = chooseWorkspace(session.workspaces)
  return {
    'X-CSRF-Token': session.csrfToken,
    ...(workspace && { 'X-Fairlead-Workspace': String(workspace.id) }),
  }
}

/** A session that ended elsewhere answers 401. Clearing it here sends the pages to the sign-in. */
function forgetEndedSession(error: Error): void {
  const hadSession = Boolean(queryClient.getQueryData(sessionKey))
  if (hadSession && error instanceof RequestError && error.httpStatus === 401) {
    queryClient.setQueryData(sessionKey, null)
  }
}

function isPassing({ httpStatus }: RequestError): boolean {
  return httpStatus === 0 || httpStatus >= 502
}
