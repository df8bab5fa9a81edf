import type { Session } from '@fairlead/contract'

type Membership = Session['workspaces'][number]

const key = 'fairlead-workspace'

/** The workspace that was worked in last on this device, or the first. */
export function chooseWorkspace(workspaces: Membership[]): Membership | undefined {
  const chosen = Number(localStorage.getItem(key))
  return workspaces.find((workspace) => workspace.id === chosen) ?? workspaces[0]
}

export function rememberWorkspace(id: number): void {
  localStorage.setItem(key, String(id))
}
