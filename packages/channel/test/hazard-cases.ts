import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import type { LaunchedApp } from '@fairlead/channel/test'
import { catchError, catchRejection } from './expect-error.ts'

/** What differs between the hazard apps of the languages. */
export interface HazardApp {
  readonly launch: () => Promise<LaunchedApp>
  readonly isNode: boolean
  /** False where an asynchronous handler begins on another thread, beside the handler that follows. */
  readonly startsInOrder: boolean
}

/** The hazards between a test in TypeScript and an app in any language, whose handlers have the names of hazards.ts. */
export function testHazards({ launch: launchHazards, isNode, startsInOrder }: HazardApp): void {
  describe('between a test and its app', () => {
    let app: LaunchedApp
    before(async () => {
      app = await launchHazards()
    })
    after(async () => {
      await app.close()
    })

    test('handlers that send back during a blocking send are answered on the same stack, 20 levels deep', () => {
      using _ = app.xpcService.on('descend', { decoding: Number, encoding: Number }, (depth) =>
        depth === 0 ? 0 : app.xpcService.send('descend', depth - 1, { decoding: Number }) + 1,
      )
      assert.equal(app.xpcService.send('descend', 20, { decoding: Number }), 20)
    })

    test('a blocking send whose asynchronous handler would deadlock fails at once', () => {
      using _ = app.xpcService.on('asyncInTest', {}, async () => {})
      const started = performance.now()
      const told = app.xpcService.send('askAsync', undefined, { decoding: String, timeout: 5000 })
      assert.match(told, /^wouldDeadlock: /)
      assert.match(told, /'asyncInTest'.*'askAsync'/)
      const asked = app.xpcService.send('askAsyncAsync', undefined, { decoding: String, timeout: 5000 })
      assert.match(asked, /^wouldDeadlock: .*'asyncInTest'.*'askAsyncAsync'/)
      assert.ok(performance.now() - started < 2500)
    })

    test('an asynchronous handler answers if nothing is blocked', async () => {
      using _ = app.xpcService.on('asyncInTest', {}, async () => {})
      assert.equal(await app.xpcService.sendAsync('askAsyncAsync', undefined, { decoding: String }), 'answered')
    })

    test('handlers start in the order of the messages, posts and requests alike', async () => {
      const { xpcService } = app
      xpcService.post('named', 'first')
      const slow = xpcService.sendAsync('slow', 20, { decoding: Number })
      xpcService.post('named', 'third')
      const started = xpcService.send('started', undefined, { decoding: [String] })
      const expected = ['first', 'slow 20', 'third']
      if (startsInOrder) assert.deepEqual(started, expected)
      else assert.deepEqual(new Set(started).difference(new Set(expected)), new Set())
      assert.equal(await slow, 20)
    })

    test('a late answer is dropped after a timeout, and the next call gets its own', async () => {
      const error = catchError(() => app.xpcService.send('spin', 60, { decoding: Number, timeout: 15 }))
      assert.equal(error.code, 'timeout')
      assert.equal(error.messageName, 'spin')
      assert.match(error.message, /15 ms/)
      assert.equal(app.xpcService.send('ping', undefined, { decoding: String }), 'pong')
      const late = await catchRejection(app.xpcService.sendAsync('slow', 50, { decoding: Number, timeout: 10 }))
      assert.equal(late.code, 'timeout')
      assert.equal(await app.xpcService.sendAsync('slow', 60, { decoding: Number }), 60)
    })

    test('timeouts and answers work the same once the read guard is running', () => {
      const { xpcService } = app
      for (let count = 0; count < 200; count++)
        assert.equal(xpcService.send('ping', undefined, { decoding: String }), 'pong')
      const started = performance.now()
      assert.equal(catchError(() => xpcService.send('slow', 5000, { timeout: 100 })).code, 'timeout')
      const taken = performance.now() - started
      assert.ok(taken >= 99 && taken < 3000, `${taken} ms`)
      // These answers arrive just when the guard ends the kernel's read.
      for (let time = 5; time < 35; time++) {
        assert.equal(xpcService.send('spin', time, { decoding: Number }), time)
        assert.equal(xpcService.send('ping', undefined, { decoding: String }), 'pong')
      }
    })

    test('a long timeout does not hide a shorter one', async () => {
      const order: string[] = []
      const long = app.xpcService.sendAsync('slow', 200, { timeout: 5000 }).then(() => order.push('long'))
      const short = catchRejection(app.xpcService.sendAsync('slow', 200, { timeout: 20 })).then(() =>
        order.push('short'),
      )
      await Promise.all([long, short])
      assert.deepEqual(order, ['short', 'long'])
    })

    test('a timeout and a cancel reach the signal of the handler', async () => {
      app.xpcService.send('aborted', undefined, { decoding: [String] })
      const controller = new AbortController()
      const cancelled = catchRejection(app.xpcService.sendAsync('slow', 301, { signal: controller.signal }))
      const timedOut = catchRejection(app.xpcService.sendAsync('slow', 302, { timeout: 10 }))
      // Handlers start in the order of their messages, so both have started when this one answers. One that is
      // cancelled before it starts never runs.
      const aborted = await app.xpcService.sendAsync('aborted', undefined, { decoding: [String] })
      controller.abort()
      assert.equal((await cancelled).code, 'cancelled')
      assert.equal((await timedOut).code, 'timeout')
      // An app in Swift resumes a cancelled task on another thread.
      for (let tries = 0; tries < 200 && aborted.length < 2; tries++) {
        aborted.push(...app.xpcService.send('aborted', undefined, { decoding: [String] }))
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      assert.deepEqual(aborted.toSorted(), ['slow 301', 'slow 302'])
    })

    test('a message without a handler is an error at once', async () => {
      const error = catchError(() => app.xpcService.send('nobody'))
      assert.equal(error.code, 'noHandler')
      assert.match(error.message, /'nobody'/)
      assert.equal((await catchRejection(app.xpcService.sendAsync('nobody'))).code, 'noHandler')
    })

    test('an exception of a handler arrives with name, message, stack and cause', () => {
      const error = catchError(() => app.xpcService.send('throw'))
      assert.equal(error.code, 'handlerFailed')
      assert.ok(error.remote)
      assert.equal(error.cause, error.remote)
      assert.equal(error.remote.name, isNode ? 'RangeError' : 'TooFar')
      assert.equal(error.remote.message, 'too far')
      assert.ok(error.remote.cause instanceof Error)
      assert.equal(error.remote.cause.message, 'the map ended')
      if (!isNode) return
      assert.ok(error.remote instanceof RangeError)
      assert.match(error.remote.stack ?? '', /hazards\.ts/)
      assert.ok('mile' in error.remote)
      assert.equal(error.remote.mile, 42)
    })

    test('content that cannot be encoded fails with its path, and nothing is written', () => {
      const before = app.xpcService.send('posts', undefined, { decoding: Number })
      const content = { user: { tags: ['a', 'b', () => 'c'] } }
      const error = catchError(() => app.xpcService.post('note', content))
      assert.equal(error.code, 'encoding')
      assert.equal(error.path, 'user.tags[2]')
      assert.match(error.message, /user\.tags\[2\]/)
      const cyclic: { self?: unknown } = {}
      cyclic.self = { back: [cyclic] }
      assert.equal(catchError(() => app.xpcService.send('note', cyclic)).path, 'self.back[0]')
      assert.equal(app.xpcService.send('posts', undefined, { decoding: Number }), before)
    })

    test('content or an answer of the wrong type fails with its path', () => {
      const content = catchError(() => app.xpcService.send('slow', 'soon'))
      assert.equal(content.code, 'decoding')
      assert.match(content.message, /expected .*, got string/)
      const answer = catchError(() => app.xpcService.send('started', undefined, { decoding: Number }))
      assert.equal(answer.code, 'decoding')
      const unwritable = catchError(() => app.xpcService.send('badAnswer', undefined, { decoding: Object }))
      assert.equal(unwritable.code, 'encoding')
      assert.equal(unwritable.path, 'user.tags[2]')
    })

    test('names that start with $ are reserved', () => {
      assert.equal(catchError(() => app.xpcService.on('$auth.contacts', {}, () => {})).code, 'unsupported')
    })

    test('a second handler for a name is refused until the first is removed', () => {
      const dispose = app.xpcService.on('twice', {}, () => {})
      assert.equal(catchError(() => app.xpcService.on('twice', {}, () => {})).code, 'duplicateHandler')
      dispose()
      app.xpcService.on('twice', {}, () => {})()
    })

    test('children of the app inherit neither the variable nor the descriptors', async () => {
      assert.equal(app.xpcService.send('environment', undefined, { decoding: Object }), undefined)
      const seen = await app.xpcService.sendAsync('grandchildSees', undefined, { decoding: String })
      assert.doesNotMatch(seen, /FAIRLEAD_XPC/)
      // The descriptors of an unlinked FIFO still show its path.
      assert.match(seen, / -> /)
      assert.doesNotMatch(seen, /fairlead-/)
    })

    test('no port is open during the exchange', { skip: process.platform !== 'linux' }, () => {
      const inodes = new Set<string>()
      for (const table of ['tcp', 'tcp6']) {
        for (const line of readFileSync(`/proc/${app.pid}/net/${table}`, 'latin1').split('\n').slice(1)) {
          const fields = line.trim().split(/\s+/)
          if (fields[3] === '0A' && fields[9]) inodes.add(fields[9])
        }
      }
      const links = app.xpcService.send('openSockets', undefined, { decoding: [String] })
      for (const link of links) assert.ok(!inodes.has(/socket:\[(\d+)\]/.exec(link)?.[1] ?? ''), link)
    })
  })

  describe('at the end of an app', () => {
    test('closing it lets it run its exit handlers', async () => {
      const app = await launchHazards()
      await app.close()
      assert.deepEqual(await app.exited, { code: 0, signal: null })
      assert.equal(catchError(() => app.xpcService.send('ping')).code, 'connectionLost')
    })

    test('5,000 posts before process.exit(0) all arrive', async () => {
      const app = await launchHazards()
      const seen: number[] = []
      app.xpcService.on('counted', { decoding: Number }, (index) => {
        seen.push(index)
      })
      app.xpcService.post('postAndExit', 5000)
      assert.deepEqual(await app.exited, { code: 0, signal: null })
      await catchRejection(app.xpcService.sendAsync('ping'))
      assert.equal(seen.length, 5000)
      assert.deepEqual(
        seen,
        [...seen].sort((a, b) => a - b),
      )
    })

    test('SIGKILL fails a blocked send at once, with the signal', async () => {
      const app = await launchHazards()
      app.xpcService.send('dieSoon', 30)
      const started = performance.now()
      const error = catchError(() => app.xpcService.send('slow', 20_000))
      assert.ok(performance.now() - started < 2500, `${performance.now() - started} ms`)
      assert.equal(error.code, 'connectionLost')
      assert.match(error.message, /SIGKILL/)
      assert.match(error.message, new RegExp(String(app.pid)))
      assert.deepEqual(await app.exited, { code: null, signal: 'SIGKILL' })
    })

    test('SIGKILL fails an asynchronous send at once, with the signal, and every send after it', async () => {
      const app = await launchHazards()
      const started = performance.now()
      const error = await catchRejection(app.xpcService.sendAsync('die'))
      assert.ok(performance.now() - started < 2500)
      assert.equal(error.code, 'connectionLost')
      assert.match(error.message, /SIGKILL/)
      assert.equal(catchError(() => app.xpcService.send('ping')).code, 'connectionLost')
      assert.equal(catchError(() => app.xpcService.post('note', 1)).code, 'connectionLost')
    })
  })
}
