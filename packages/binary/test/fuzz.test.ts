import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fuzz } from './fuzz.ts'

test('50,000 damaged builds give an answer or a BinaryError each', async () => {
  const { faults, answers, errors } = await fuzz(50_000, 1)
  assert.deepEqual(faults, [])
  assert.ok(answers > 5000, 'the damage leaves enough to be read')
  assert.ok(Object.keys(errors).length >= 6, 'the damage reaches many parts')
})
