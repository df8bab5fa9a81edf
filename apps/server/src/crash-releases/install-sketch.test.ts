import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { requireAt } from '@fairlead/invariant'
import {
  addInstall,
  countInstalls,
  createSketch,
  type InstallSketch,
  mergeSketches,
  readSketch,
  removeInstall,
  writeSketch,
} from './install-sketch.ts'

const toId = (number: number) => createHash('sha256').update(String(number)).digest('hex').slice(0, 16)
const fill = (from: number, to: number) => {
  let sketch: InstallSketch = createSketch()
  for (let number = from; number < to; number++) sketch = addInstall(sketch, toId(number))
  return sketch
}

describe('a sketch of installs', () => {
  it('is exact up to 400 installs and loses one that is removed', () => {
    const sketch = fill(0, 400)
    for (let number = 0; number < 400; number++) addInstall(sketch, toId(number))
    assert.deepEqual(countInstalls(sketch), { count: 400, isApproximate: false })
    assert.ok(removeInstall(sketch, toId(7)))
    assert.equal(countInstalls(sketch).count, 399)
  })

  it('estimates large numbers within five standard errors', () => {
    for (const number of [401, 2000, 10_000, 60_000]) {
      const { count, isApproximate } = countInstalls(fill(0, number))
      assert.ok(isApproximate)
      assert.ok(Math.abs(count - number) / number < 5 * 0.016, `${number} was estimated as ${count}`)
    }
  })

  it('has the same bytes in whatever order its installs came and its parts were merged', () => {
    for (const [middle, end] of [
      [100, 300],
      [300, 900],
      [5000, 9000],
    ] as const) {
      const whole = writeSketch(fill(0, end))
      const parts = [fill(middle, end), fill(0, middle)].map((part) => readSketch(writeSketch(part)))
      const [one, other] = [requireAt(parts, 0), requireAt(parts, 1)]
      assert.deepEqual(writeSketch(mergeSketches(one, other)), whole)
      assert.deepEqual(writeSketch(mergeSketches(fill(0, middle), fill(0, end))), whole)
    }
  })
})
