import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { QueueFullError, TurnQueue } from './turn-queue.ts'

const limits = { maxQueued: 4, maxQueuedPerKey: 3, maxQueuedSize: 100, maxQueuedSizePerKey: 60 }

describe('a turn queue', () => {
  it('alternates between keys, and keeps the order of the entries of one key', async () => {
    const queue = new TurnQueue(['slot'], limits)
    const slot = await queue.take({ key: 'a', size: 1 })
    const served: string[] = []
    const wait = (key: string, name: string) => {
      return queue.take({ key, size: 1 }).then((taken) => {
        served.push(name)
        queue.release(taken)
      })
    }
    const all = [wait('a', 'a1'), wait('a', 'a2'), wait('a', 'a3'), wait('b', 'b1')]
    queue.release(slot)
    await Promise.all(all)
    assert.deepEqual(served, ['a1', 'b1', 'a2', 'a3'])
  })

  it('leaves a slot to other keys if the number of slots per key is limited', async () => {
    const queue = new TurnQueue([1, 2], { ...limits, maxRunningPerKey: 1 })
    const first = await queue.take({ key: 'a' })
    const served: string[] = []
    const second = queue.take({ key: 'a' }).then((slot) => {
      served.push('a')
      return slot
    })
    const other = await queue.take({ key: 'b' })
    queue.release(other)
    assert.equal(await queue.take({ key: 'c' }), other)
    assert.deepEqual(served, [])
    queue.release(first)
    assert.equal(await second, first)
  })

  it('refuses entries that exceed the limits of one key or of all keys, by number and by size', async () => {
    const queue = new TurnQueue(['slot'], limits)
    await queue.take({ key: 'a', size: 1000 })
    const isFull = (full: string) => (error: unknown) => error instanceof QueueFullError && error.full === full
    const waiting = ['a', 'a', 'a'].map((key) => queue.take({ key, size: 20 }))
    await assert.rejects(queue.take({ key: 'a', size: 0 }), isFull('key'))
    await assert.rejects(queue.take({ key: 'b', size: 61 }), isFull('key'))
    await assert.rejects(queue.take({ key: 'b', size: 50 }), isFull('total'))
    waiting.push(queue.take({ key: 'b', size: 40 }))
    await assert.rejects(queue.take({ key: 'c', size: 0 }), isFull('total'))
    queue.refuseAll(new Error('closed'))
    for (const one of waiting) await assert.rejects(one, /closed/)
  })

  it('drops an entry whose signal is aborted, and runs the next one', async () => {
    const queue = new TurnQueue(['slot'], limits)
    const slot = await queue.take({ key: 'a', size: 1 })
    const controller = new AbortController()
    const dropped = queue.take({ key: 'a', size: 1, signal: controller.signal })
    const next = queue.take({ key: 'a', size: 1 })
    controller.abort(new Error('hung up'))
    await assert.rejects(dropped, /hung up/)
    queue.release(slot)
    assert.equal(await next, 'slot')
    await assert.rejects(queue.take({ key: 'a', size: 1, signal: controller.signal }), /hung up/)
  })
})
