import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { invariant, outOfRange, requireAt, requireKey } from './index.ts'

describe('a broken promise', () => {
  it('is an error that says what was promised', () => {
    assert.throws(() => invariant([].length > 0, 'the list has items'), /^Error: Broken promise: the list has items$/)
    invariant(true, 'nothing is thrown')
  })

  it('is an index outside of a list, of any kind', () => {
    assert.equal(requireAt(['a', 'b'], 1), 'b')
    assert.equal(requireAt(Uint8Array.of(0), 0), 0)
    for (const index of [-1, 2, 0.5, Number.NaN]) assert.throws(() => requireAt(['a', 'b'], index), RangeError)
  })

  it('is an index outside of a typed array', () => {
    const list = Float64Array.of(0, 1)
    assert.equal(list[0] ?? outOfRange(), 0)
    assert.throws(() => list[2] ?? outOfRange(), RangeError)
  })

  it('is a key that a map does not have, but not a value that is null, 0 or empty', () => {
    assert.throws(() => requireKey(new Map([['a', 1]]), 'b'), /^RangeError: Broken promise: no key b in a map of 1$/)
    assert.equal(requireKey(new Map([['a', null]]), 'a'), null)
    assert.deepEqual([requireAt([0], 0), requireAt([''], 0)], [0, ''])
  })
})
