import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { createPool, type Pool, type PoolOptions } from './pool.ts'
import type { WorkerError } from './worker-error.ts'

const entry = new URL('../test/failing-worker.ts', import.meta.url)

class SampleError extends Error {
  readonly code: string

  constructor(cause: WorkerError) {
    super(cause.message, { cause })
    this.code = cause.code
  }
}

function openPool(options: Partial<PoolOptions> = {}): Pool<string, unknown> {
  const limits = { timeoutMs: 60_000, maxMemoryMb: 32, maxQueued: 4, maxQueuedPerKey: 2 }
  return createPool(entry, { ...limits, toError: (error) => new SampleError(error), ...options })
}

const children = `/proc/self/task/${process.pid}/children`

function listChildren(): string[] {
  return readFileSync(children, 'utf8').split(' ').filter(Boolean)
}

describe('a pool', () => {
  it('answers requests, and turns failures of a process into errors of its package', async () => {
    await using pool = openPool({ workers: 2 })
    assert.deepEqual(await Promise.all(['a', 'b', 'c'].map((name) => pool.ask(name))), ['a', 'b', 'c'])
    for (const [request, code] of [
      ['throw', 'crashed'],
      ['exit', 'exited'],
      ['objects', 'out-of-memory'],
    ] as const) {
      await assert.rejects(pool.ask(request), (error) => error instanceof SampleError && error.code === code)
      assert.equal(pool.idle, 2)
    }
    await assert.rejects(pool.ask('loop', { timeoutMs: 1 }), { code: 'timeout' })
    assert.deepEqual(await Promise.all(['a', 'b', 'c'].map((name) => pool.ask(name))), ['a', 'b', 'c'])
  })

  it('refuses requests beyond the limits of its queue', async () => {
    await using pool = openPool({ maxQueuedSize: 10 })
    const hold = await pool.hold()
    const waiting = [pool.ask('a', { turnKey: '1' }), pool.ask('b', { turnKey: '1' })]
    await assert.rejects(pool.ask('c', { turnKey: '1' }), { name: 'QueueFullError', full: 'key' })
    await assert.rejects(pool.ask('c', { turnKey: '2', size: 11 }), { name: 'QueueFullError', full: 'total' })
    assert.equal(pool.waiting, 2)
    await hold[Symbol.asyncDispose]()
    assert.deepEqual(await Promise.all(waiting), ['a', 'b'])
  })

  it('rejects running, waiting and later requests when it is closed', async () => {
    const pool = openPool()
    const requests = ['wait', 'a', 'b'].map((name) => assert.rejects(pool.ask(name), { code: 'closed' }))
    await pool[Symbol.asyncDispose]()
    await Promise.all(requests)
    await assert.rejects(pool.ask('a'), { code: 'closed' })
    await assert.rejects(pool.hold(), { code: 'closed' })
  })

  it('holds a process for several requests of one caller, until a request fails', async () => {
    await using pool = openPool()
    const hold = await pool.hold()
    assert.deepEqual([await hold.ask('a'), await hold.ask('b'), pool.idle], ['a', 'b', 0])
    await assert.rejects(hold.ask('throw'), SampleError)
    assert.deepEqual([hold.isHeld, pool.idle], [false, 1])
    await assert.rejects(hold.ask('c'), /was given back/)
    assert.equal(await pool.ask('d'), 'd')
  })

  it('gives no answer of a held process to the next caller if it is given back while a request runs', async () => {
    await using pool = openPool()
    const hold = await pool.hold()
    const first = hold.ask('a')
    await Promise.all([hold[Symbol.asyncDispose](), assert.rejects(hold.ask('b'), /is running/)])
    assert.equal(await first, 'a')
    assert.equal(await pool.ask('c'), 'c')
  })

  it('starts all its processes when a second key asks, and another when one was killed', async (context) => {
    if (!existsSync(children)) return context.skip('only Linux lists the children of a process')
    await using pool = openPool({ workers: 3 })
    await Promise.all([pool.ask('a', { turnKey: '1' }), pool.ask('b', { turnKey: '1' })])
    const started = listChildren()
    assert.equal(started.length, 2)
    await pool.ask('c', { turnKey: '2' })
    const all = listChildren()
    assert.equal(all.length, 3)
    await assert.rejects(pool.ask('exit', { turnKey: '2' }), SampleError)
    assert.equal(listChildren().filter((child) => !all.includes(child)).length, 1)
  })

  it('starts no process for those that one key does not need', async (context) => {
    if (!existsSync(children)) return context.skip('only Linux lists the children of a process')
    await using pool = openPool({ workers: 3 })
    await pool.ask('a', { turnKey: '1' })
    await assert.rejects(pool.ask('exit', { turnKey: '1' }), SampleError)
    assert.equal(listChildren().length, 0)
  })

  it('ends a held process with its memory when the signal is aborted between two requests', async (context) => {
    if (!existsSync(children)) return context.skip('only Linux lists the children of a process')
    await using pool = openPool()
    const controller = new AbortController()
    const hold = await pool.hold({ signal: controller.signal })
    await hold.ask('a')
    const before = listChildren()
    const next = pool.ask('b')
    controller.abort(new Error('hung up'))
    assert.equal(hold.isHeld, false)
    await assert.rejects(hold.ask('c'), /hung up/)
    assert.equal(await next, 'b')
    assert.notDeepEqual(listChildren(), before)
  })
})

/** An aborted request that may run starts another process, which takes 30 ms or more. */
const repetitions = { quick: 1000, slow: Number(process.env.FAIRLEAD_ABORTS ?? 100) }
const reason = new Error('hung up')
const isReason = (error: unknown) => error === reason

describe('a pool whose caller hangs up', { timeout: 600_000 }, () => {
  it('before a request never loses a place', () => {
    return hangUpOften(repetitions.quick, async ({ pool, controller, signal, random }) => {
      controller.abort(reason)
      if (random() < 0.5) await assert.rejects(pool.ask('loop', { signal }), isReason)
      else await assert.rejects(pool.hold({ signal }), isReason)
    })
  })

  it('while the request waits never loses a place', () => {
    return hangUpOften(repetitions.quick, async ({ pool, controller, signal, random, name }) => {
      const holds = await Promise.all([pool.hold(), pool.hold()])
      const waiting = random() < 0.5 ? pool.ask('loop', { signal }) : pool.hold({ signal })
      const dropped = assert.rejects(waiting, isReason)
      const other = pool.ask(name)
      for (let turns = random() * 3; turns > 1; turns--) await setImmediate()
      // The place may be given to the request in the same turn of the event loop.
      const giveBack = () => Promise.all(holds.map((hold) => hold[Symbol.asyncDispose]()))
      const isEarly = random() < 0.5
      if (isEarly) void giveBack()
      controller.abort(reason)
      if (!isEarly) void giveBack()
      await dropped
      assert.equal(await other, name)
    })
  })

  it('in the middle of a request never loses a place', () => {
    return hangUpOften(repetitions.slow, async ({ pool, controller, signal, random }) => {
      const asked = assert.rejects(pool.ask(random() < 0.5 ? 'loop' : 'wait', { signal }), isReason)
      await setTimeout(random() * 60)
      controller.abort(reason)
      await asked
    })
  })

  it('when the answer arrives never loses a place, nor gets the answer to another request', () => {
    return hangUpOften(repetitions.slow, async ({ pool, controller, signal, random, name }) => {
      const asked = pool.ask(name, { signal }).catch((error: unknown) => assert.equal(error, reason))
      // An answer takes about 0.1 ms.
      for (const end = performance.now() + random() * 0.2; performance.now() < end;) await setImmediate()
      controller.abort(reason)
      const answer = await asked
      assert.ok(answer === name || answer === undefined)
    })
  })

  it('while it holds a process never loses a place', () => {
    return hangUpOften(repetitions.slow, async ({ pool, controller, signal, random, name }) => {
      const hold = await pool.hold({ signal })
      if (random() < 0.5) assert.equal(await hold.ask(name), name)
      const asked = random() < 0.5 ? hold.ask(name).catch((error: unknown) => assert.equal(error, reason)) : undefined
      for (const end = performance.now() + random() * 0.2; performance.now() < end;) await setImmediate()
      controller.abort(reason)
      await asked
      if (random() < 0.5) await hold[Symbol.asyncDispose]()
    })
  })
})

interface HangUp {
  pool: Pool<string, unknown>
  controller: AbortController
  signal: AbortSignal
  random: () => number
  /** The number of the repetition, as a request. */
  name: string
}

/** Repeats a hang-up with pseudo-random moments. After each, both processes are free, and they answer at the end. */
async function hangUpOften(count: number, hangUp: (given: HangUp) => Promise<void>): Promise<void> {
  await using pool = openPool({ workers: 2 })
  const random = createRandom(20_261_122)
  for (let index = 0; index < count; index++) {
    const controller = new AbortController()
    await hangUp({ pool, controller, signal: controller.signal, random, name: `request ${index}` })
    // A process that was held is ended before its place goes back.
    for (const end = performance.now() + 10_000; pool.idle < 2 && performance.now() < end;) await setTimeout(1)
    assert.deepEqual({ index, idle: pool.idle, waiting: pool.waiting }, { index, idle: 2, waiting: 0 })
  }
  assert.deepEqual(await Promise.all([pool.ask('a'), pool.ask('b')]), ['a', 'b'])
}

/** Numbers from 0 to 1 by a linear congruential generator. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
