import { RequestError } from '@fairlead/client'
import { MutationCache, notifyManager, QueryCache, QueryClient } from '@tanstack/react-query'
import type { Session } from '@fairlead/contract'
import { keepSessionIn } from '../early/client.ts'

export { client } from '../early/client.ts'

export const sessionKey = ['session']

// By default, components learn in a later task that a mutation has begun. On a busy machine the second click of a
// double click comes before that task, finds the button still enabled, and sends the request again.
notifyManager.setScheduler(queueMicrotask)

/** Caches the server's answers. The headers of the session are read from it. */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: forgetEndedSession }),
  mutationCache: new MutationCache({
    onError: forgetEndedSession,
    // A write may change anything, so all visible data is refetched before the write counts as done.
    onSuccess: () => queryClient.invalidateQueries({ predicate: isOfWorkspace }),
  }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failures, error) => failures < 2 && error instanceof RequestError && isPassing(error),
    },
  },
})

/** All queries but the session belong to a workspace, and to one account in it. */
export function isOfWorkspace({ queryKey }: { queryKey: readonly unknown[] }): boolean {
  return queryKey[0] !== sessionKey[0]
}

keepSessionIn(() => queryClient.getQueryData<Session | null>(sessionKey))

/** Handles a 401 after the session ended elsewhere: without a session the pages redirect to the sign-in. */
function forgetEndedSession(error: Error): void {
  const hadSession = Boolean(queryClient.getQueryData(sessionKey))
  if (hadSession && error instanceof RequestError && error.httpStatus === 401) {
    queryClient.setQueryData(sessionKey, null)
  }
}

function isPassing({ httpStatus }: RequestError): boolean {
  return httpStatus === 0 || httpStatus >= 502
}
