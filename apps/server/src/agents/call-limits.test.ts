import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createCallLimits } from './call-limits.ts'

const caller = { tokenId: 1, workspaceId: 1 }

describe('limits of calls', () => {
  it('let a token make 600 calls a minute, and tell it how long to wait', () => {
    let time = 1_000_000
    const limits = createCallLimits(() => time)
    const call = () => {
      const begun = limits.begin(caller)
      if ('retryAfterSeconds' in begun) return begun.retryAfterSeconds
      begun[Symbol.dispose]()
      return 0
    }
    for (let made = 0; made < 600; made++) assert.equal(call(), 0)
    time += 20_500
    assert.equal(call(), 40)
    assert.ok(!('retryAfterSeconds' in limits.begin({ tokenId: 2, workspaceId: 1 })))
    time += 39_500
    assert.equal(call(), 0)
  })

  it('let a token make 8 calls at once, and all tokens of a workspace 16', () => {
    const limits = createCallLimits()
    const begin = (tokenId: number, workspaceId = 1) => limits.begin({ tokenId, workspaceId })
    const first = begin(1)
    for (let made = 1; made < 8; made++) assert.ok(!('retryAfterSeconds' in begin(1)))
    assert.deepEqual(begin(1), { retryAfterSeconds: 1 })
    for (let made = 0; made < 8; made++) assert.ok(!('retryAfterSeconds' in begin(2)))
    assert.deepEqual(begin(3), { retryAfterSeconds: 1 })
    assert.ok(!('retryAfterSeconds' in begin(4, 2)))
    assert.ok(!('retryAfterSeconds' in first))
    first[Symbol.dispose]()
    assert.ok(!('retryAfterSeconds' in begin(3)))
  })
})
