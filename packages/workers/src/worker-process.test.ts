import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { describe, it } from 'node:test'
import { WorkerProcess } from './worker-process.ts'

const entry = new URL('../test/failing-worker.ts', import.meta.url)

const runOptions = { timeout: 60_000, encoding: 'utf8' } as const

function toCommand(program: string, ...flags: string[]): [string, ...string[]] {
  return [process.execPath, ...flags, '--input-type=module', '--eval', program]
}

function run(program: string, ...flags: string[]): string {
  const [node, ...rest] = toCommand(program, ...flags)
  return execFileSync(node, rest, runOptions)
}

const openWorker = () => new WorkerProcess<string, unknown>(entry, { timeoutMs: 60_000, maxMemoryMb: 32 })

describe('a worker process', () => {
  it('distinguishes a crash, a plain exit and a timeout, and starts a new process after each', async () => {
    await using worker = openWorker()
    await assert.rejects(worker.ask('throw'), { name: 'WorkerError', code: 'crashed', message: 'RangeError: broken' })
    assert.equal(await worker.ask('echo'), 'echo')
    await assert.rejects(worker.ask('exit'), { code: 'exited' })
    assert.equal(await worker.ask('echo'), 'echo')
    for (const request of ['wait', 'loop']) {
      await assert.rejects(worker.ask(request, { timeoutMs: 1 }), { code: 'timeout' })
      assert.equal(await worker.ask('echo'), 'echo')
    }
  })

  it(
    'is ended by processor time that it uses, not by time that it waits',
    { skip: process.platform !== 'linux' },
    async () => {
      await using worker = openWorker()
      const processorMs = 200
      await assert.rejects(worker.ask('loop', { processorMs }), {
        code: 'timeout',
        message: /200 ms of processor time/,
      })
      await worker.ask('echo')
      await assert.rejects(worker.ask('wait', { processorMs, timeoutMs: 1000 }), {
        code: 'timeout',
        message: /1000 ms\.$/,
      })
      assert.equal(await worker.ask('echo'), 'echo')
    },
  )

  it('counts the processor time of each request on its own', { skip: process.platform !== 'linux' }, async () => {
    await using worker = openWorker()
    for (let round = 0; round < 4; round++) {
      assert.equal(await worker.ask('work', { processorMs: 600 }), 'work')
    }
  })

  for (const kind of ['objects', 'arrays', 'numbers', 'map', 'lines', 'json']) {
    it(`that fills its heap with ${kind} runs out of memory without harm to its parent, and is replaced`, async () => {
      await using worker = openWorker()
      await assert.rejects(worker.ask(kind), { code: 'out-of-memory' })
      assert.equal(await worker.ask('echo'), 'echo')
    })
  }

  it('is cancelled by a signal, with its reason', async () => {
    await using worker = openWorker()
    const controller = new AbortController()
    const reason = new Error('hung up')
    const asked = worker.ask('loop', { signal: controller.signal })
    controller.abort(reason)
    await assert.rejects(asked, (error) => error === reason)
    assert.equal(await worker.ask('echo'), 'echo')
  })

  it('rejects the running request when it is closed', async () => {
    const worker = openWorker()
    const asked = assert.rejects(worker.ask('wait'), { code: 'closed' })
    await worker[Symbol.asyncDispose]()
    await asked
    await assert.rejects(worker.ask('echo'), { code: 'closed' })
  })

  it('refuses a second request before the answer to the first', async () => {
    await using worker = openWorker()
    const first = worker.ask('echo')
    await assert.rejects(worker.ask('other'), /has not answered/)
    assert.equal(await first, 'echo')
  })

  it('does not inherit the environment, which may hold secrets', async () => {
    await using worker = openWorker()
    const names = await worker.ask('environment')
    assert.ok(Array.isArray(names))
    assert.ok(!names.includes('PATH'), names.join())
  })

  it('keeps a program alive while a request runs, and not after it', () => {
    const program = `
      import { WorkerProcess } from '${new URL('worker-process.ts', import.meta.url).href}'
      const worker = new WorkerProcess(new URL('${entry.href}'), { timeoutMs: 60_000, maxMemoryMb: 32 })
      console.log(await worker.ask('echo'))
    `
    assert.equal(run(program), 'echo\n')
  })

  it('keeps a program alive while it is closed, even if an answer arrives meanwhile', () => {
    const program = `
      import { WorkerProcess } from '${new URL('worker-process.ts', import.meta.url).href}'
      for (let round = 0; round < 20; round++) {
        const worker = new WorkerProcess(new URL('${entry.href}'), { timeoutMs: 60_000, maxMemoryMb: 32 })
        await worker.ask('echo')
        worker.ask('echo').catch(() => {})
        // In each round the answer arrives at a different moment while the process is being closed.
        for (const end = performance.now() + round / 20; performance.now() < end; );
        await worker[Symbol.asyncDispose]()
      }
      console.log('closed')
    `
    assert.equal(run(program), 'closed\n')
  })

  it('keeps nothing in memory of requests that were answered', () => {
    const program = `
      import { WorkerProcess } from '${new URL('worker-process.ts', import.meta.url).href}'
      const worker = new WorkerProcess(new URL('${entry.href}'), { timeoutMs: 60_000, maxMemoryMb: 32 })
      const measure = () => (gc(), process.memoryUsage().heapUsed)
      for (let count = 0; count < 500; count++) await worker.ask('echo')
      const before = measure()
      for (let count = 0; count < 5000; count++) await worker.ask('echo')
      console.log((measure() - before) / 5000 < 50 ? 'flat' : 'grows')
    `
    assert.equal(run(program, '--expose-gc'), 'flat\n')
  })

  it('that cannot start for want of file descriptors is a crash and does not end the program', () => {
    const program = `
      import { openSync } from 'node:fs'
      import { WorkerProcess } from '${new URL('worker-process.ts', import.meta.url).href}'
      const limits = { timeoutMs: 60_000, maxMemoryMb: 32 }
      const [worker, aborted] = [1, 2].map(() => new WorkerProcess(new URL('${entry.href}'), limits))
      try { for (;;) openSync('${process.execPath}') } catch (error) { console.log(error.code) }
      worker.start()
      for (let round = 0; round < 3; round++) await worker.ask('echo').catch(({ code }) => console.log(code))
      const controller = new AbortController()
      const asked = aborted.ask('echo', { signal: controller.signal })
      controller.abort(new Error('hung up'))
      await asked.catch(({ message }) => console.log(message))
    `
    const output = execFileSync('sh', ['-c', 'ulimit -n 64; exec "$@"', 'sh', ...toCommand(program)], runOptions)
    assert.equal(output, 'EMFILE\ncrashed\ncrashed\ncrashed\nhung up\n')
  })
})
