import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readSessionAggregates } from './session.ts'

describe('the sessions that an SDK has aggregated', () => {
  const attrs = { release: 'com.example.shop@2.0+7', environment: 'production' }
  const read = (aggregate: object) => {
    const [sessions] = readSessionAggregates({ attrs, aggregates: [aggregate] })
    assert.ok(sessions)
    return sessions
  }

  it('count as crashed when they crashed, ended abnormally or met an error that nobody caught', () => {
    const started = '2026-11-28T10:00:00Z'
    const sessions = read({ started, did: 'one', exited: 50, errored: 8, abnormal: 4, unhandled: 2, crashed: 1 })
    assert.deepEqual([sessions.startedCount, sessions.crashedCount], [65, 7])
    assert.equal(sessions.startedAt, Date.parse(started))
    assert.equal(sessions.environment, 'production')
  })

  it('count nothing for a number that makes no sense', () => {
    for (const count of [-5, 0.5, null, 'many', {}]) {
      const sessions = read({ started: '2026-11-28T10:00:00Z', exited: count, unhandled: count })
      assert.deepEqual([sessions.startedCount, sessions.crashedCount], [0, 0], JSON.stringify(count))
    }
  })
})
