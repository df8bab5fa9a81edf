import assert from 'node:assert/strict'
import { PassThrough, Writable } from 'node:stream'
import { describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { ApiError } from '@fairlead/contract'
import { createBodySlots } from './body-slots.ts'
import { readBody } from './read-body.ts'

const maxBytes = 4 * 2 ** 20
const baseMs = 60_000
const piece = Buffer.alloc(300 * 1024)
const isTruncated = (error: unknown) => error instanceof ApiError && error.code === 'truncatedBody'

/** A generator of numbers below `below` from a fixed seed (linear congruential). */
function createRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

describe('reading a body', () => {
  it('gives its slot back when its client hangs up: before, while it waits, in the middle or at the end', async () => {
    const slots = createBodySlots(4)
    const random = createRandom(19)
    const outcomes = { read: 0, broken: 0, refused: 0 }
    const send = async (index: number) => {
      const body = new PassThrough()
      body.on('error', () => {})
      const sender = { owner: `app ${index % 3}`, network: `network ${index % 7}` }
      const hangsUpAt = random(10)
      if (hangsUpAt === 0) body.destroy()
      const reading = readBody(body, { baseMs, maxBytes, slots, sender })
      const sending = (async () => {
        for (let sent = 0; sent < 6 && !body.destroyed; sent++) {
          if (hangsUpAt === sent + 1) body.destroy()
          else body.write(piece)
          for (let turns = random(4); turns > 0; turns--) await setImmediate()
        }
        if (hangsUpAt === 7) body.destroy()
        else body.end()
      })()
      try {
        using read = await reading
        if (hangsUpAt === 8) body.destroy()
        await setImmediate()
        assert.equal(read.bytes.length, 6 * piece.length)
        outcomes.read++
      } catch (error) {
        assert.ok(error instanceof ApiError, String(error))
        if (error.code === 'overloaded') outcomes.refused++
        else outcomes.broken++
        // The server closes the connection of a request that it has refused.
        body.destroy()
      }
      await sending
    }
    const queue = Array.from({ length: 1000 }, (_, index) => index)
    const work = async () => {
      for (let index = queue.shift(); index !== undefined; index = queue.shift()) await send(index)
    }
    await Promise.all(Array.from({ length: 40 }, work))
    assert.ok(outcomes.read > 100 && outcomes.broken > 100, JSON.stringify(outcomes))
    assert.deepEqual([slots.idle, slots.waiting, slots.smallBytes], [4, 0, 0])
  })

  it('gives a slot to other owners while the bodies of one take all of its turns', async () => {
    const slots = createBodySlots(4)
    const flood = Array.from({ length: 8 }, (_, index) => {
      const body = new PassThrough()
      const sender = { owner: 'flooding', network: `network ${index}` }
      const read = readBody(body, { baseMs, maxBytes, slots, sender })
      for (let sent = 0; sent < 4; sent++) body.write(piece)
      return { body, read }
    })
    while (slots.waiting < 6) await setImmediate()
    assert.equal(slots.idle, 2)
    const other = new PassThrough()
    const reading = readBody(other, { baseMs, maxBytes, slots, sender: { owner: 'other', network: 'network 0' } })
    for (let sent = 0; sent < 4; sent++) other.write(piece)
    other.end()
    using read = await reading
    assert.equal(read.bytes.length, 4 * piece.length)
    for (const { body } of flood) body.destroy()
    for (const one of flood) await assert.rejects(one.read, isTruncated)
  })

  it('ends a sender that is slow while others wait for its slot, and leaves it alone otherwise', async (test) => {
    test.mock.timers.enable({ apis: ['setInterval'] })
    const slots = createBodySlots(1)
    const start = (owner: string) => {
      const body = new PassThrough()
      const read = readBody(body, { baseMs, maxBytes, slots, sender: { owner, network: 'network' } })
      for (let sent = 0; sent < 4; sent++) body.write(piece)
      return { body, read }
    }
    const slow = start('slow')
    while (slots.idle > 0) await setImmediate()
    // Alone, it may take its time.
    test.mock.timers.tick(60_000)
    slow.body.write('x')
    const next = start('next')
    while (slots.waiting === 0) await setImmediate()
    test.mock.timers.tick(2000)
    await assert.rejects(slow.read, (error) => error instanceof ApiError && error.code === 'slowBody')
    next.body.end()
    using read = await next.read
    assert.equal(read.bytes.length, 4 * piece.length)
  })

  it('does not count the time that a body waits for its slot', async (test) => {
    test.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
    const slots = createBodySlots(1)
    const held = await slots.take({ owner: 'busy', network: 'network' }, new AbortController().signal)
    const body = new PassThrough()
    const reading = readBody(body, { baseMs, maxBytes, slots, sender: { owner: 'honest', network: 'network' } })
    for (let sent = 0; sent < 4; sent++) body.write(piece)
    while (slots.waiting === 0) await setImmediate()
    test.mock.timers.tick(60 * 60_000)
    held[Symbol.dispose]()
    body.end()
    using read = await reading
    assert.equal(read.bytes.length, 4 * piece.length)
    const late = readBody(new PassThrough(), { baseMs, maxBytes, slots, sender: { owner: 'late', network: 'network' } })
    test.mock.timers.tick(baseMs + 60_000)
    await assert.rejects(late, (error) => error instanceof ApiError && error.code === 'slowBody')
  })

  it('gives what came before the limit to an overflow in several turns of the event loop', async () => {
    const slots = createBodySlots(1)
    const body = new PassThrough({ highWaterMark: 2 ** 30 })
    let total = 0
    let ofTurn = 0
    let mostOfTurn = 0
    const over = new AbortController()
    const countTurns = async () => {
      for (; !over.signal.aborted; ofTurn = 0) await setImmediate()
    }
    const overflow = {
      maxBytes: 100 * maxBytes,
      open() {
        const { promise, resolve } = Promise.withResolvers<Buffer>()
        const sink = new Writable({
          write(chunk: Buffer, _encoding, done) {
            total += chunk.length
            ofTurn += chunk.length
            mostOfTurn = Math.max(mostOfTurn, ofTurn)
            done()
          },
          final: (done) => (resolve(Buffer.from('kept')), done()),
        })
        return { sink, finished: promise }
      },
    }
    const counting = countTurns()
    const sender = { owner: 'app', network: 'network' }
    const reading = readBody(body, { baseMs, maxBytes, slots, sender, overflow })
    for (let sent = 0; sent < 20; sent++) {
      body.write(piece)
      await setImmediate()
    }
    body.end()
    using read = await reading
    over.abort()
    await counting
    assert.deepEqual([String(read.bytes), total], ['kept', 20 * piece.length])
    assert.ok(mostOfTurn < 2 ** 21, `${mostOfTurn} bytes in one turn`)
  })

  it('takes slots for small bodies, too, when one owner has filled the memory for them', async () => {
    const slots = createBodySlots(4)
    const held = Array.from({ length: 60 }, (_, index) => {
      const body = new PassThrough()
      body.write(piece)
      const sender = { owner: 'many', network: `network ${index}` }
      return { body, read: readBody(body, { baseMs, maxBytes, slots, sender }) }
    })
    const refused = held.map(({ read }) => read.then(undefined, (error: unknown) => error))
    while (slots.waiting === 0 || slots.smallBytes < 16_000_000) await setImmediate()
    assert.ok(slots.smallBytes <= 16 * 2 ** 20)
    for (const { body } of held) body.destroy()
    await Promise.all(refused)
    assert.deepEqual([slots.idle, slots.waiting, slots.smallBytes], [4, 0, 0])
  })
})
