import { useNavigate } from '@tanstack/react-router'
import { isOfWorkspace, queryClient } from './client.ts'
import { rememberWorkspace } from './chosen-workspace.ts'

/** Goes to another workspace of the account: to its applications, where nothing of the one before may show. */
export function useSwitchWorkspace(): (id: number) => Promise<void> {
  const navigate = useNavigate()
  return async (id) => {
    rememberWorkspace(id)
    // First what is not shown; then, on a page that both workspaces have, the rest.
    queryClient.removeQueries({ predicate: isOfWorkspace, type: 'inactive' })
    await navigate({ to: '/applications' })
    await queryClient.resetQueries({ predicate: isOfWorkspace })
  }
}
