import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { measureBusyShare, toBusyShare } from './busy-share.ts'

const at = (user: number, sys: number, idle: number) => ({ user, nice: 0, sys, idle, irq: 0 })

describe('the share of the time in which processors are busy', () => {
  it('is that of all processors together since the first reading', () => {
    assert.equal(toBusyShare([at(10, 10, 500), at(0, 0, 900)], [at(60, 60, 500), at(0, 0, 1000)]), 0.5)
    assert.equal(toBusyShare([at(10, 10, 500)], [at(10, 10, 600)]), 0)
  })

  it('is all of it when the times say nothing', () => {
    assert.equal(toBusyShare([at(10, 10, 500)], [at(10, 10, 500)]), 1)
    assert.equal(toBusyShare([], []), 1)
  })

  it('is measured on this machine', async () => {
    const share = await measureBusyShare(50)
    assert.ok(share >= 0 && share <= 1, String(share))
  })
})
