import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ApiError } from '@fairlead/contract'
import { createGuard, isRightPassword } from './guard.ts'

describe('The limit per account', () => {
  it('limits guesses from many addresses, but not a client in a network that signed in before', async () => {
    const guard = createGuard()
    // The stored hash cannot be read, so every verification fails at once.
    guard.passwords = { ...guard.passwords, verify: async () => false }
    const attempt = (address: string, isKnown = false) =>
      isRightPassword(guard, {
        email: 'ada@example.com',
        password: 'guess',
        account: undefined,
        address,
        isKnownNetwork: async () => isKnown,
      })
    for (let index = 0; index < 50; index++) assert.equal(await attempt(`198.51.100.${index}`), false)
    await assert.rejects(attempt('203.0.113.1'), (error) => {
      assert.ok(error instanceof ApiError && error.code === 'tooManyRequests')
      assert.ok(Number(error.headers['retry-after']) > 0)
      return true
    })
    assert.equal(await attempt('203.0.113.2', true), false)
  })
})
