import { type Client, createClient, RequestError } from '@fairlead/client'
import type { Session } from '@fairlead/contract'
import { tell } from '../ui/tell.ts'
import { rememberWorkspace } from '../api/chosen-workspace.ts'
import { chooseWorkspace } from '../early/client.ts'
import { isOfWorkspace, queryClient, sessionKey } from '../api/client.ts'

/** At most this many workspaces are asked, because each costs a request. Hardly anybody is a member of more. */
const askedAtMost = 20

interface Visit {
  /** True while the user only hovers over a link, which must not switch the workspace. */
  preload: boolean
  /** Loads what the page shows, in the current workspace. */
  load: () => Promise<unknown>
  /** Requests the resource that the URL names, from one workspace. */
  ask: (client: Client) => Promise<unknown>
}

/**
 * Loads a page whose URL names a resource by its id. When the current workspace has no such resource, as with a link
 * that a colleague sent, the account's other workspaces are asked, and the one that has it becomes the current one.
 */
export async function loadFromAnyWorkspace({ preload, load, ask }: Visit): Promise<void> {
  try {
    await load()
  } catch (error) {
    if (preload || !(error instanceof RequestError) || error.httpStatus !== 404) throw error
    const workspace = await findWorkspace(ask)
    if (!workspace) throw error
    rememberWorkspace(workspace.id)
    queryClient.removeQueries({ predicate: isOfWorkspace })
    tell(`You are in the workspace ${workspace.name} now`)
    await load()
  }
}

async function findWorkspace(ask: Visit['ask']): Promise<Session['workspaces'][number] | undefined> {
  const workspaces = queryClient.getQueryData<Session | null>(sessionKey)?.workspaces ?? []
  const current = chooseWorkspace(workspaces)
  const others = workspaces.filter(({ id }) => id !== current?.id).slice(0, askedAtMost)
  const answers = await Promise.allSettled(
    others.map(({ id }) => ask(createClient({ baseUrl: '', headers: () => ({ 'X-Fairlead-Workspace': String(id) }) }))),
  )
  return others.find((_workspace, index) => answers[index]?.status === 'fulfilled')
}
