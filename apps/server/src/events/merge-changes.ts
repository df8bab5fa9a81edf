import type { ChangeEvent } from '@fairlead/contract'
import { maxIds } from '../db/change-feed.ts'
import type { Change } from './recent-changes.ts'

/** Joins the events of each workspace that differ only in their ids, in the order in which the first of them came. */
export function mergeChanges(changes: readonly Change[]): Map<number, ChangeEvent[]> {
  const workspaces = new Map<number, Map<string, ChangeEvent>>()
  for (const { workspaceId, event } of changes) {
    const events = workspaces.get(workspaceId) ?? new Map<string, ChangeEvent>()
    workspaces.set(workspaceId, events)
    const key = `${event.kind} ${event.change} ${event.applicationId}`
    const known = events.get(key)
    events.set(key, known ? { ...known, ids: joinIds(known.ids, event.ids) } : event)
  }
  return new Map([...workspaces].map(([workspaceId, events]) => [workspaceId, [...events.values()]]))
}

function joinIds(one: ChangeEvent['ids'], other: ChangeEvent['ids']): ChangeEvent['ids'] {
  if (one === null || other === null) return null
  const ids = [...new Set([...one, ...other])]
  return ids.length > maxIds ? null : ids
}
