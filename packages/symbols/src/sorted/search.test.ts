import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createRandom } from '../../test/random.ts'
import { lowerBound, lowerBoundNear, upperBound, upperBoundBy } from './search.ts'

const random = createRandom(20_261_121)
const lists = Array.from({ length: 200 }, (_, length) =>
  Uint32Array.from({ length: length % 40 }, () => random(30)).toSorted(),
)

/** The index of the first number that fits, found by linear search. */
function findFirst(numbers: Uint32Array, fits: (number: number) => boolean): number {
  const found = numbers.findIndex(fits)
  return found === -1 ? numbers.length : found
}

describe('binary search', () => {
  it('finds the first number that is at least the wanted one', () => {
    for (const list of lists) {
      for (let wanted = -1; wanted < 32; wanted++) {
        const expected = findFirst(list, (number) => number >= wanted)
        assert.equal(lowerBound(list, wanted), expected)
        for (const guess of [-5, 0, 3, 39, 100]) assert.equal(lowerBoundNear(list, wanted, guess), expected)
      }
    }
  })

  it('finds the first number that is greater than the wanted one', () => {
    for (const list of lists) {
      const items = Array.from(list, (key) => ({ key }))
      for (let wanted = -1; wanted < 32; wanted++) {
        const expected = findFirst(list, (number) => number > wanted)
        assert.equal(upperBound(list, wanted), expected)
        assert.equal(
          upperBoundBy(items, ({ key }) => key, wanted),
          expected,
        )
      }
    }
  })

  it('stays between the bounds it is given', () => {
    const list = [1, 2, 2, 3, 9]
    assert.equal(lowerBound(list, 0, 2, 4), 2)
    assert.equal(lowerBound(list, 9, 2, 4), 4)
    assert.equal(upperBound(list, 2, 0, 2), 2)
    assert.equal(upperBound(list, 0, 3), 3)
  })
})
