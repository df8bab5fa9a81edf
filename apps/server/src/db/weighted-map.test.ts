import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createWeightedMap } from './weighted-map.ts'

describe('a weighted map', () => {
  it('drops the oldest values when all together weigh too much, and counts replaced and deleted ones no more', () => {
    const map = createWeightedMap<number>(100_000)
    for (let index = 0; index < 1000; index++) map.set('one', index, 5000)
    map.set('two', 2, 5000)
    map.delete('two')
    assert.equal(map.get('one'), 999)
    for (let index = 0; index < 20; index++) map.set(`other ${index}`, index, 5000)
    assert.equal(map.get('one'), undefined)
    assert.equal(map.get('other 19'), 19)
  })

  it('keeps no value that would displace too many others', () => {
    const map = createWeightedMap<number>(100_000)
    map.set('light', 1, 100)
    map.set('light', 2, 50_000)
    assert.equal(map.get('light'), undefined)
  })
})
