import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createReadMemo } from './read-memo.ts'

describe('the read memo', () => {
  const open = () => {
    const counter = { writes: 0, reads: 0 }
    const memo = createReadMemo(() => counter.writes)
    const read = (key: string, weight?: number) =>
      memo.remember(key, async () => `${key} ${++counter.reads}`, weight === undefined ? undefined : () => weight)
    return { counter, memo, read }
  }

  it('remembers a value until the next write', async () => {
    const { counter, read } = open()
    assert.equal(await read('a'), 'a 1')
    assert.equal(await read('a'), 'a 1')
    counter.writes++
    assert.equal(await read('a'), 'a 2')
  })

  it('does not keep a value that was read during a write, nor undefined', async () => {
    const { counter, memo, read } = open()
    await memo.remember('a', async () => ++counter.writes)
    assert.equal(await read('a'), 'a 1')
    assert.equal(await memo.remember('b', async () => undefined), undefined)
    assert.equal(await read('b'), 'b 2')
  })

  it('does not keep very large values, and clears itself when the total is too large', async () => {
    const { counter, read } = open()
    await read('heavy', 3 * 2 ** 20)
    assert.equal(await read('heavy'), 'heavy 2')
    assert.equal(await read('first', 2 ** 20), 'first 3')
    for (let index = 0; index < 40; index++) await read(`other ${index}`, 2 ** 20)
    const before = counter.reads
    assert.notEqual(await read('first'), 'first 3')
    assert.equal(counter.reads, before + 1)
  })
})
