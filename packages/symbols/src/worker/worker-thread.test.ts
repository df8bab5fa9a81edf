import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { WorkerThread } from './worker-thread.ts'

/** A thread that answers `echo` and otherwise fails in the way that the request names. */
const entry = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads'
    const held = []
    function fill() {
      for (let count = 0; count < 10_000; count++) held.push({ count })
      setImmediate(fill)
    }
    parentPort.on('message', (request) => {
      if (request === 'throw') throw new Error('broken')
      if (request === 'exit') process.exit(0)
      if (request === 'fill') fill()
      if (request === 'echo') parentPort.postMessage('echo')
    })
  `)}`,
)

const openThread = () => new WorkerThread<string, string>(entry, { timeoutMs: 10_000, maxMemoryMb: 32 })

describe('a worker thread', () => {
  it('tells a crash, a plain exit, too much memory and too much time apart, and starts anew after each', async () => {
    await using thread = openThread()
    for (const [request, code] of [
      ['throw', 'crashed'],
      ['exit', 'exited'],
      ['fill', 'out-of-memory'],
    ] as const) {
      await assert.rejects(thread.ask(request), { name: 'SymbolsError', code })
      assert.equal(await thread.ask('echo'), 'echo')
    }
    await assert.rejects(thread.ask('wait', { timeoutMs: 1 }), { code: 'timeout' })
    assert.equal(await thread.ask('echo'), 'echo')
  })

  it('is cancelled by a signal, with its reason', async () => {
    await using thread = openThread()
    const controller = new AbortController()
    const reason = new Error('hung up')
    const asked = thread.ask('wait', { signal: controller.signal })
    controller.abort(reason)
    await assert.rejects(asked, (error) => error === reason)
    assert.equal(await thread.ask('echo'), 'echo')
  })

  it('rejects what is running when it is closed', async () => {
    const thread = openThread()
    const asked = assert.rejects(thread.ask('wait'), { code: 'exited' })
    await thread[Symbol.asyncDispose]()
    await asked
  })
})
