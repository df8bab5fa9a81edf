import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createQueue } from '../src/uploads/upload-queue.ts'

describe('the queue of uploads', () => {
  it('runs tasks in order, and never more than its limit at the same time', async () => {
    const enqueue = createQueue(3)
    const started: number[] = []
    let running = 0
    let highest = 0
    const tasks = Array.from({ length: 10 }, (_, index) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      enqueue(async () => {
        started.push(index)
        running++
        highest = Math.max(highest, running)
        await Promise.resolve()
        running--
        resolve()
      })
      return promise
    })
    await Promise.all(tasks)
    assert.equal(highest, 3)
    assert.deepEqual(started, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  })
})
