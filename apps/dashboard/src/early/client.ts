import { type Client, createClient } from '@fairlead/client'
import type { Session } from '@fairlead/contract'
import { askEarly, takeEarly } from './early-answers.ts'

type Membership = Session['workspaces'][number]

export const workspaceKey = 'fairlead-workspace'

/** The id of the workspace that was used last on this device, as text. */
export function readWorkspaceChoice(): string | null {
  return localStorage.getItem(workspaceKey)
}

/** The workspace that was used last on this device, or the first. */
export function chooseWorkspace(workspaces: Membership[], chosen = readWorkspaceChoice()): Membership | undefined {
  return workspaces.find(({ id }) => String(id) === chosen) ?? workspaces[0]
}

/** Reads the session from the query cache. Until the dashboard runs, there is no cache, and it returns undefined. */
let readSession: () => Session | null | undefined = () => undefined

export function keepSessionIn(read: typeof readSession): void {
  readSession = read
}

// They retry nothing, because the query client retries queries, and a person repeats an upload that failed.
const options = { baseUrl: '', headers: toSessionHeaders, retries: 0 }
export const client: Client = createClient({ ...options, exchange: takeEarly })

/** The client of `start.ts`. The dashboard's own client takes its answers when it sends the same requests. */
export const earlyClient: Client = createClient({ ...options, exchange: askEarly })

function toSessionHeaders(): Record<string, string> {
  const session = readSession()
  if (session === undefined) {
    const chosen = readWorkspaceChoice()
    return chosen === null ? {} : { 'X-Fairlead-Workspace': chosen }
  }
  if (session === null) return {}
  const workspace = chooseWorkspace(session.workspaces)
  return {
    'X-CSRF-Token': session.csrfToken,
    ...(workspace && { 'X-Fairlead-Workspace': String(workspace.id) }),
  }
}
