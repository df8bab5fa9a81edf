import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { placeMarks } from '../src/charts/place-marks.ts'

describe('the marks of a chart', () => {
  const toX = (key: string) => Number(key)
  const place = (...marks: [key: number, label: string][]) =>
    placeMarks(
      marks.map(([key, label]) => ({ key: String(key), label })),
      toX,
      500,
    ).map(({ x, label, row }) => [x, label, row])

  it('have one label at one place', () => {
    assert.deepEqual(place([40, '2.3.1'], [40, '2.3.0']), [[40, '2.3.1, 2.3.0', 0]])
    assert.deepEqual(place([40, '2.3.3'], [40, '2.3.1'], [40, '2.3.0']), [[40, '2.3.3 and 2 more', 0]])
  })

  it('have labels that do not lie on each other, at the right end as well', () => {
    const far = place([40, '1.0'], [200, '1.1'])
    assert.deepEqual(far, [
      [40, '1.0', 0],
      [200, '1.1', 0],
    ])
    assert.deepEqual(place([60, '1.2'], [40, '1.0'], [50, '1.1']), [
      [40, '1.0', 0],
      [50, '1.1', 1],
      [60, null, 0],
    ])
    assert.deepEqual(place([470, '1.0.0'], [490, '1.1.0']), [
      [470, '1.0.0', 0],
      [490, '1.1.0', 1],
    ])
  })
})
