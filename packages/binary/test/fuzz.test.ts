import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fuzz } from './fuzz.ts'

test('each of 50,000 damaged builds gives a result or a BinaryError', async () => {
  const { faults, answers, errors } = await fuzz(50_000, 1)
  assert.deepEqual(faults, [])
  assert.ok(answers > 5000, 'the damage leaves enough to be read')
  assert.ok(Object.keys(errors).length >= 6, 'the damage reaches many parts')
})
