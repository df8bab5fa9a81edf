import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { after, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { openTemporaryFolder } from '../../test/temporary-folder.ts'
import { WorkerProcess } from './worker-process.ts'

const folder = openTemporaryFolder()
after(() => folder[Symbol.dispose]())

/** A worker that answers `echo` and otherwise fails in the way that the request names. */
const entry = pathToFileURL(
  folder.write(
    'worker.ts',
    Buffer.from(`
      import { answerRequests } from '${new URL('answer-requests.ts', import.meta.url).href}'
      const never = new Promise(() => {})
      const fill = {
        objects: () => { for (const held = []; ; ) held.push({}) },
        arrays: () => { for (const held = []; ; ) held.push(new Array(1000).fill(1.5)) },
        numbers: () => { for (const held = []; ; ) held.push(held.length + 0.5) },
        map: () => { for (const held = new Map(); ; ) held.set(held.size, {}) },
        lines: () => 'a\\n'.repeat(2e7).split('\\n'),
        json: () => { for (const held = []; ; ) held.push(JSON.parse('[' + '{},'.repeat(4e6) + '{}]')) },
      }
      answerRequests(async (request) => {
        if (request === 'throw') throw new RangeError('broken')
        if (request === 'exit') process.exit(0)
        if (request === 'loop') for (;;);
        if (request === 'environment') return Object.keys(process.env)
        if (request in fill) fill[request]()
        return request === 'wait' ? never : request
      })
    `),
  ),
)

function run(program: string): string {
  const options = { timeout: 60_000, encoding: 'utf8' } as const
  return execFileSync(process.execPath, ['--input-type=module', '--eval', program], options)
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
    const asked = assert.rejects(worker.ask('wait'), { code: 'exited' })
    await worker[Symbol.asyncDispose]()
    await asked
  })

  it('does not inherit the environment, which may hold secrets', async () => {
    await using worker = openWorker()
    const names = (await worker.ask('environment')) as string[]
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
})
