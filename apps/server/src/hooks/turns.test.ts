import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { WaitingHook } from './queue-store.ts'
import { divideTurns } from './turns.ts'

const now = 1000
const hook = (id: number, workspaceId: number, more: Partial<WaitingHook> = {}): WaitingHook => ({
  id,
  workspace_id: workspaceId,
  due_at: 0,
  in_flight: 0,
  format: 'standard',
  last_at: 0,
  ...more,
})

describe('The turns of deliveries', () => {
  it('give a hook four places, and one of a chat one', () => {
    const { places } = divideTurns([hook(1, 1), hook(2, 1, { format: 'slack' }), hook(3, 1, { in_flight: 3 })], {
      free: 32,
      now,
      last: 0,
    })
    assert.deepEqual(
      [1, 2, 3].map((id) => places.get(id)),
      [4, 1, 1],
    )
  })

  it('share places between workspaces, however many hooks one has, and go on after the last', () => {
    const crowd = Array.from({ length: 50 }, (_, index) => hook(index + 1, 1))
    const { places, last } = divideTurns([...crowd, hook(90, 2), hook(91, 3)], { free: 6, now, last: 1 })
    assert.deepEqual([places.get(90), places.get(91)], [2, 2])
    assert.equal(
      [...places.values()].reduce((sum, count) => sum + count, 0),
      6,
    )
    assert.equal(last, 1)
  })

  it('pass over hooks that are not due or have no place', () => {
    const hooks = [hook(1, 1, { due_at: now + 1 }), hook(2, 1, { due_at: null }), hook(3, 1, { in_flight: 4 })]
    assert.deepEqual(divideTurns(hooks, { free: 32, now, last: 0 }).places, new Map())
  })
})
