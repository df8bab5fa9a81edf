import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { invariant, requireAt, requireKey } from './invariant.ts'

describe('An invariant', () => {
  it('throws with what was promised when that is not so', () => {
    assert.throws(() => invariant(false, 'a case has a test'), /Broken invariant: a case has a test/)
    assert.doesNotThrow(() => invariant(true, 'a case has a test'))
  })

  it('throws for an index outside of a list, and returns an item that is 0 or empty', () => {
    assert.throws(() => requireAt([1, 2], 2), /a list of 2 has an item at 2/)
    assert.equal(requireAt([0], 0), 0)
    assert.equal(requireAt([''], 0), '')
  })

  it('throws for a key that a map does not have, and returns a value that is null', () => {
    assert.throws(() => requireKey(new Map([['a', 1]]), 'b'), /a map has the key b/)
    assert.equal(requireKey(new Map([['a', null]]), 'a'), null)
  })
})
