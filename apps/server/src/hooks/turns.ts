import { requireKey } from '@fairlead/invariant'
import type { WaitingHook } from './queue-store.ts'

/** The most attempts at a time, for a hook, for one of a chat, and for a process. */
const hookPlaces = 4
const chatPlaces = 1
export const processPlaces = 32

/** Says whether another attempt of a hook may begin. */
export function hasPlace(hook: WaitingHook): boolean {
  return hook.in_flight < placesOf(hook)
}

function placesOf({ format }: WaitingHook): number {
  return format === 'standard' ? hookPlaces : chatPlaces
}

/**
 * Divides free places among hooks with due deliveries. Workspaces take turns, and so do the hooks of each, so that
 * neither many hooks nor many deliveries of one hold up another. `last` is the workspace that had the last turn.
 */
export function divideTurns(
  hooks: readonly WaitingHook[],
  { free, now, last }: { free: number; now: number; last: number },
): { places: Map<number, number>; last: number } {
  const due = hooks.filter((hook) => hook.due_at !== null && hook.due_at <= now && hasPlace(hook))
  const left = new Map(due.map((hook) => [hook.id, placesOf(hook) - hook.in_flight]))
  const byWorkspace = [...Map.groupBy(due, ({ workspace_id: id }) => id)].toSorted(([a], [b]) => a - b)
  const after = byWorkspace.findIndex(([id]) => id > last)
  const start = Math.max(after, 0)
  const order = [...byWorkspace.slice(start), ...byWorkspace.slice(0, start)].map(([id, own]) => ({
    id,
    own: [...own],
  }))
  const places = new Map<number, number>()
  let [taken, lastTurn] = [0, last]
  while (taken < free && order.some(({ own }) => own.length > 0)) {
    for (const { id, own } of order) {
      const hook = own.shift()
      if (!hook || taken >= free) continue
      places.set(hook.id, (places.get(hook.id) ?? 0) + 1)
      const rest = requireKey(left, hook.id) - 1
      left.set(hook.id, rest)
      if (rest > 0) own.push(hook)
      taken++
      lastTurn = id
    }
  }
  return { places, last: lastTurn }
}
