import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createChanges, toTopic } from './changes.ts'
import { createReadMemo } from './read-memo.ts'

describe('the read memo', () => {
  const open = () => {
    const changes = createChanges()
    const memo = createReadMemo(changes)
    let reads = 0
    const read = (key: string, weight = 0, id = 1) =>
      memo.remember(key, async () => `${key} ${++reads}`, {
        topics: () => [toTopic('build', id), toTopic('groups')],
        weigh: () => weight,
      })
    return { changes, memo, read }
  }

  it('remembers a value until something changes that it is made of', async () => {
    const { changes, read } = open()
    assert.equal(await read('a'), 'a 1')
    changes.record('build', 2)
    changes.record('application', 1)
    assert.equal(await read('a'), 'a 1')
    changes.record('build', 1)
    assert.equal(await read('a'), 'a 2')
    assert.equal(await read('a'), 'a 2')
    changes.record('groups', 0)
    assert.equal(await read('a'), 'a 3')
    changes.recordAll()
    assert.equal(await read('a'), 'a 4')
  })

  it('does not keep a value that was read during a change, nor undefined', async () => {
    const { changes, memo, read } = open()
    const kept = { topics: () => [toTopic('build', 1)] }
    await memo.remember('a', async () => changes.record('build', 1) ?? 'early', kept)
    assert.equal(await read('a'), 'a 1')
    assert.equal(await memo.remember<string | undefined>('b', async () => undefined, kept), undefined)
    assert.equal(await read('b'), 'b 2')
  })

  it('does not keep very large values, and drops the oldest when all together are too large', async () => {
    const { read } = open()
    await read('heavy', 2 * 2 ** 20)
    assert.equal(await read('heavy'), 'heavy 2')
    for (let index = 0; index < 40; index++) await read(`other ${index}`, 2 ** 19)
    assert.equal(await read('other 39'), 'other 39 42')
    assert.equal(await read('other 0'), 'other 0 43')
  })
})
