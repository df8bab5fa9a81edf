import { useNavigate } from '@tanstack/react-router'
import { isOfWorkspace, queryClient } from './client.ts'
import { rememberWorkspace } from './chosen-workspace.ts'

/** Switches to another workspace of the account and opens its applications. */
export function useSwitchWorkspace(): (id: number) => Promise<void> {
  const navigate = useNavigate()
  return async (id) => {
    rememberWorkspace(id)
    // Data of inactive queries goes first. Active queries are reset after the navigation, when the page has changed.
    queryClient.removeQueries({ predicate: isOfWorkspace, type: 'inactive' })
    await navigate({ to: '/applications' })
    await queryClient.resetQueries({ predicate: isOfWorkspace })
  }
}
