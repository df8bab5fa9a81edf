import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { QueueFullError } from './queue-full-error.ts'
import { TurnQueue } from './turn-queue.ts'

const limits = { maxQueued: 4, maxQueuedPerKey: 3, maxQueuedSize: 100, maxQueuedSizePerKey: 60 }

describe('a turn queue', () => {
  it('alternates between keys, and keeps the order of the entries of one key', async () => {
    const queue = new TurnQueue(['slot'], limits)
    const place = await queue.take({ key: 'a', size: 1 })
    const served: string[] = []
    const wait = async (key: string, name: string) => {
      using _place = await queue.take({ key, size: 1 })
      served.push(name)
    }
    const all = [wait('a', 'a1'), wait('a', 'a2'), wait('a', 'a3'), wait('b', 'b1')]
    place[Symbol.dispose]()
    await Promise.all(all)
    assert.deepEqual(served, ['a1', 'b1', 'a2', 'a3'])
  })

  it('leaves a slot to other keys if the number of slots per key is limited', async () => {
    const queue = new TurnQueue([1, 2], { ...limits, maxRunningPerKey: 1 })
    const first = await queue.take({ key: 'a' })
    const served: string[] = []
    const second = queue.take({ key: 'a' }).then((place) => {
      served.push('a')
      return place
    })
    const other = await queue.take({ key: 'b' })
    other[Symbol.dispose]()
    assert.equal((await queue.take({ key: 'c' })).slot, other.slot)
    assert.deepEqual(served, [])
    first[Symbol.dispose]()
    assert.equal((await second).slot, first.slot)
  })

  it('gives a key the slot that it had last, because another key may have left its slot unusable', async () => {
    const queue = new TurnQueue(['first', 'second'], { ...limits, maxRunningPerKey: 1 })
    const a = await queue.take({ key: 'a' })
    const b = await queue.take({ key: 'b' })
    b[Symbol.dispose]()
    a[Symbol.dispose]()
    for (const [key, own] of [
      ['a', a],
      ['b', b],
      ['a', a],
    ] as const) {
      using place = await queue.take({ key })
      assert.equal(place.slot, own.slot)
    }
  })

  it('gives a key that comes anew a slot that nobody has had, so that it alone waits for the start', async () => {
    const queue = new TurnQueue(['first', 'second'], limits)
    const a = await queue.take({ key: 'a' })
    a[Symbol.dispose]()
    const b = await queue.take({ key: 'b' })
    assert.notEqual(b.slot, a.slot)
    assert.equal((await queue.take({ key: 'a' })).slot, a.slot)
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
    const place = await queue.take({ key: 'a', size: 1 })
    const controller = new AbortController()
    const dropped = queue.take({ key: 'a', size: 1, signal: controller.signal })
    const next = queue.take({ key: 'a', size: 1 })
    controller.abort(new Error('hung up'))
    await assert.rejects(dropped, /hung up/)
    place[Symbol.dispose]()
    assert.equal((await next).slot, 'slot')
    await assert.rejects(queue.take({ key: 'a', size: 1, signal: controller.signal }), /hung up/)
  })

  it('gets a slot back once, even if its place is disposed of twice', async () => {
    const queue = new TurnQueue(['slot'], limits)
    const place = await queue.take({ key: 'a' })
    place[Symbol.dispose]()
    const next = await queue.take({ key: 'b' })
    place[Symbol.dispose]()
    assert.equal(queue.idle, 0)
    next[Symbol.dispose]()
    assert.equal(queue.idle, 1)
  })
})
