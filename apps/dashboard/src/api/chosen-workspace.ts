import type { Session } from '@fairlead/contract'
import { useSyncExternalStore } from 'react'
import { chooseWorkspace, readWorkspaceChoice, workspaceKey } from '../early/client.ts'

type Membership = Session['workspaces'][number]

const listeners = new Set<() => void>()

export function useChosenWorkspace(workspaces: Membership[]): Membership | undefined {
  return chooseWorkspace(workspaces, useSyncExternalStore(subscribe, readWorkspaceChoice))
}

export function rememberWorkspace(id: number): void {
  localStorage.setItem(workspaceKey, String(id))
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
