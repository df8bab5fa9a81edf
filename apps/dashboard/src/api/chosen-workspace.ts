import type { Session } from '@fairlead/contract'
import { useSyncExternalStore } from 'react'

type Membership = Session['workspaces'][number]

const key = 'fairlead-workspace'
const listeners = new Set<() => void>()

/** Returns the workspace used last on this device, or the first one. */
export function chooseWorkspace(workspaces: Membership[], chosen = readChoice()): Membership | undefined {
  return workspaces.find(({ id }) => String(id) === chosen) ?? workspaces[0]
}

export function useChosenWorkspace(workspaces: Membership[]): Membership | undefined {
  return chooseWorkspace(workspaces, useSyncExternalStore(subscribe, readChoice))
}

export function rememberWorkspace(id: number): void {
  localStorage.setItem(key, String(id))
  for (const listener of listeners) listener()
}

function readChoice(): string | null {
  return localStorage.getItem(key)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
