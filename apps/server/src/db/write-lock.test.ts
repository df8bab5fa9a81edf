import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { WriteLock, type WriteLength } from './write-lock.ts'

describe('the lock of the writing connection', () => {
  /** Takes the lock once for each of `lengths` while somebody holds it, and returns the order in which they get it. */
  async function takeAll(lengths: readonly [name: string, length: WriteLength][]): Promise<string[]> {
    const lock = new WriteLock()
    const order: string[] = []
    await lock.take('transaction')
    const all = lengths.map(async ([name, length]) => {
      await lock.take(length)
      order.push(name)
      lock.release()
    })
    lock.release()
    await Promise.all(all)
    assert.equal(lock.isWanted, false)
    return order
  }

  it('goes to single statements before transactions, and else to who came first', async () => {
    const order = await takeAll([
      ['long 1', 'transaction'],
      ['long 2', 'transaction'],
      ['short 1', 'statement'],
      ['short 2', 'statement'],
    ])
    assert.deepEqual(order, ['short 1', 'short 2', 'long 1', 'long 2'])
  })

  it('goes to a transaction after eight statements', async () => {
    const statements = Array.from({ length: 20 }, (_, index): [string, WriteLength] => [`short ${index}`, 'statement'])
    const order = await takeAll([['long 1', 'transaction'], ['long 2', 'transaction'], ...statements])
    assert.deepEqual([order.indexOf('long 1'), order.indexOf('long 2')], [8, 17])
  })

  it('goes to one caller at a time', async () => {
    const lock = new WriteLock()
    let holders = 0
    const use = async (length: WriteLength) => {
      await lock.take(length)
      holders++
      await Promise.resolve()
      assert.equal(holders, 1)
      holders--
      lock.release()
    }
    await Promise.all(Array.from({ length: 100 }, (_, index) => use(index % 3 === 0 ? 'transaction' : 'statement')))
  })
})
