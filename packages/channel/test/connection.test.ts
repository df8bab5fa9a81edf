import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, mock, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { launch, type LaunchOptions } from '@fairlead/channel/test'
import { catchError, catchRejection } from './expect-error.ts'

const node = process.execPath
const appPath = (name: string) => join(import.meta.dirname, 'apps', `${name}.ts`)
const launchApp = (name: string, args: string[] = [], options: Partial<LaunchOptions> = {}) =>
  launch({ command: node, args: [appPath(name), ...args], ...options })

describe('launch', () => {
  test('makes requests wait until the app is ready, and then fails an unknown message at once', async () => {
    await using app = await launchApp('late')
    app.xpcService.post('note', 'one')
    const asked = app.xpcService.sendAsync('seen', undefined, { decoding: [String] })
    assert.deepEqual(await asked, ['one'])
    assert.equal(catchError(() => app.xpcService.send('nobody', undefined, { timeout: 5000 })).code, 'noHandler')
  })

  test('makes a blocking send wait for a late app too', async () => {
    await using app = await launchApp('late')
    assert.deepEqual(app.xpcService.send('seen', undefined, { decoding: [String] }), [])
  })

  test('delivers posts sent during the launch to handlers that are registered right after it', async () => {
    await using app = await launchApp('late', ['hello'])
    const heard = await new Promise<string>((resolve) => app.xpcService.on('launching', { decoding: String }, resolve))
    assert.equal(heard, 'hello')
  })

  test('fails with a timeout if the app never loads the channel, and with its exit if it ends', async () => {
    const silent = catchRejection(launch({ command: node, args: ['-e', 'setTimeout(() => {}, 9000)'], timeout: 300 }))
    assert.equal((await silent).code, 'timeout')
    const gone = await catchRejection(launch({ command: node, args: ['-e', 'process.exit(7)'] }))
    assert.equal(gone.code, 'connectionLost')
    assert.match(gone.message, /code 7/)
    const missing = await catchRejection(launch({ command: '/nowhere/app' }))
    assert.equal(missing.code, 'connectionLost')
    assert.match(missing.message, /ENOENT/)
  })
})

const u32 = (...values: number[]) => {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value, 4 * index)
  return bytes
}

/** Writes a frame as docs/PROTOCOL.md specifies it. */
function frame(kind: number, body: string, id = 0): Buffer {
  const header = Buffer.from([kind, body === '' ? 0 : 2, 0, 0])
  return Buffer.concat([u32(12 + body.length), header, u32(id, 0), Buffer.from(body)])
}
const packet = (bytes: Buffer) => Buffer.concat([u32(bytes.length), bytes])
const hello = packet(frame(1, '{"version":1}'))

describe('an app that breaks the protocol', () => {
  const attacks: [string, Buffer[], RegExp][] = [
    ['garbage', [Buffer.from('GET / HTTP/1.1\r\n\r\n')], /packet/],
    ['garbage after HELLO', [hello, packet(frame(99, ''))], /kind 99/],
    ['a packet of 2 GB', [hello, u32(0x7fffffff)], /packet of 2147483647 bytes/],
    ['a frame of 4 GB', [hello, packet(Buffer.concat([u32(0xffffffff), Buffer.alloc(100)]))], /4294967295 bytes/],
    ['a frame before HELLO', [packet(frame(7, ''))], /before HELLO/],
    ['an acknowledgement of what was never sent', [hello, u32(0x80000000, 100_000)], /100000 bytes acknowledged/],
    [
      'an acknowledgement inside a half-written message',
      [hello, packet(frame(5, '[1]').subarray(0, 9)), u32(0x80000000, 9_000_000)],
      /acknowledged/,
    ],
    ['another version', [packet(frame(1, '{"version":2}'))], /version 2.*version 1/],
  ]
  for (const [name, parts, words] of attacks) {
    test(`${name} ends the connection with 'protocol'`, async () => {
      const memory = process.memoryUsage().rss
      const hex = parts.map((part) => part.toString('hex')).join(',')
      const attempt = (async () => {
        await using app = await launchApp('raw', [hex])
        await app.xpcService.sendAsync('ping')
      })()
      const error = await catchRejection(attempt)
      assert.equal(error.code, 'protocol', error.message)
      assert.match(error.message, words)
      assert.ok(process.memoryUsage().rss - memory < 200e6)
    })
  }

  test('a violation during a blocked send fails it with the same code', async () => {
    const hex = [hello, packet(frame(3, '1', 77)), u32(0xffffffff, 0xffffffff)].map((part) => part.toString('hex'))
    const app = await launchApp('raw', [hex.join(',')])
    await sleep(0)
    const error = catchError(() => app.xpcService.send('ping'))
    assert.equal(error.code, 'protocol')
    app.process.kill('SIGKILL')
  })

  test('a frame truncated by the end of the app is reported', async () => {
    const cut = Buffer.concat([hello, packet(Buffer.concat([u32(100), Buffer.alloc(20)]))])
    const attempt = (async () => {
      const app = await launchApp('raw', [cut.toString('hex'), 'leave'])
      await app.xpcService.sendAsync('ping')
    })()
    const error = await catchRejection(attempt)
    assert.equal(error.code, 'protocol')
    assert.match(error.message, /middle of a frame/)
  })
})

describe('a fast sender and a busy app', () => {
  test('200,000 messages of 1 KB arrive in order with bounded memory on both sides', async () => {
    await using app = await launchApp('busy')
    const text = 'x'.repeat(1000)
    let peak = 0
    for (let index = 0; index < 200_000; index++) {
      app.xpcService.post('item', { index, text })
      if (index % 10_000 !== 0) continue
      await app.xpcService.flush()
      peak = Math.max(peak, process.memoryUsage().rss)
    }
    const decoding = Object
    const sum = await app.xpcService.sendAsync('sum', undefined, { decoding, timeout: 60_000 })
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `apps/busy.ts` answers with numbers
    const { count, bytes, order, peak: appPeak } = sum as Record<string, number>
    assert.deepEqual({ count, bytes, order }, { count: 200_000, bytes: 200e6, order: 200_000 })
    assert.ok(peak < 400e6, `${peak}`)
    assert.ok(appPeak !== undefined && appPeak < 400e6, `${appPeak}`)
  })

  test('with 64 MB queued, a post throws and the connection continues', async () => {
    await using app = await launchApp('busy')
    app.xpcService.post('sleep', 300)
    const text = 'x'.repeat(1_000_000)
    let queued = 0
    const error = catchError(() => {
      for (; queued < 200; queued++) app.xpcService.post('item', { index: queued, text })
    })
    assert.equal(error.code, 'overflow')
    assert.ok(queued >= 60 && queued <= 70, `${queued}`)
    const sum = await app.xpcService
      .sendAsync('sum', undefined, { decoding: Object, timeout: 60_000 })
      .catch(async () => {
        await app.xpcService.flush()
        return app.xpcService.sendAsync('sum', undefined, { decoding: Object, timeout: 60_000 })
      })
    assert.ok(typeof sum === 'object' && sum !== null && 'count' in sum)
    assert.equal(sum.count, queued)
  })

  test('a blocking send of 8 MB is answered with 8 MB', async () => {
    await using app = await launchApp('echo')
    const content = { text: 'ä'.repeat(4_000_000), bytes: new Uint8Array(1_000_000).fill(7) }
    assert.deepEqual(app.xpcService.send('echo', content, { decoding: Object }), content)
  })
})

describe('when the test process dies', () => {
  const isAlive = (pid: number) => {
    try {
      process.kill(pid, 0)
    } catch {
      return false
    }
    // Orphans stay as zombies if no process waits for them.
    const stat = `/proc/${pid}/stat`
    return !existsSync(stat) || !/\) [ZX] /.test(readFileSync(stat, 'latin1'))
  }

  async function until(isSo: () => boolean, limit: number): Promise<void> {
    for (const end = performance.now() + limit; !isSo() && performance.now() < end;) await sleep(20)
  }

  async function orphan(whenTestEnds: string, end: string, kill: boolean): Promise<string[]> {
    const folder = mkdtempSync(join(tmpdir(), 'orphan-'))
    const log = join(folder, 'log')
    writeFileSync(log, 'launched\n')
    try {
      const tester = spawn(node, [appPath('tester'), appPath('orphan'), whenTestEnds, end], {
        env: { ...process.env, ORPHAN_LOG: log },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const [line]: Buffer[] = await tester.stdout.take(1).toArray()
      const pid = Number(String(line))
      if (kill) {
        await until(() => /tick[^]*blocking|blocking[^]*tick/.test(readFileSync(log, 'utf8')), 10_000)
        tester.kill('SIGKILL')
      }
      await until(() => !isAlive(pid), whenTestEnds === 'exit' || end === 'exit' ? 10_000 : 500)
      const isLeft = isAlive(pid)
      if (isLeft) process.kill(pid, 'SIGKILL')
      const words = new Set(readFileSync(log, 'utf8').trim().split('\n'))
      return [...words.difference(new Set(['launched', 'tick', 'blocking'])), isLeft ? 'goes on' : 'ended']
    } finally {
      rmSync(folder, { recursive: true })
    }
  }

  test('the app exits by itself, with its exit handlers run and its running handlers aborted', async () => {
    assert.deepEqual(await orphan('exit', 'wait', true), ['aborted', 'exit 0', 'ended'])
  })

  test('the app continues if it is told to', async () => {
    assert.deepEqual(await orphan('continue', 'wait', true), ['aborted', 'goes on'])
  })

  test('no app outlives a test process that exits', async () => {
    const seen = await orphan('continue', 'exit', false)
    assert.equal(seen.at(-1), 'ended')
  })
})

describe('side effects in the test process', () => {
  test('several apps with noisy output each give their own answers', async () => {
    const apps = await Promise.all(
      [1, 2, 3].map((number) => launchApp('noisy', [String(number)], { stdio: ['ignore', 'ignore', 'ignore'] })),
    )
    for (let round = 0; round < 20; round++) {
      assert.deepEqual(
        apps.map((app) => app.xpcService.send('number', undefined, { decoding: Number })),
        [1, 2, 3],
      )
      const asked = apps.map((app) => app.xpcService.sendAsync('number', undefined, { decoding: Number }))
      assert.deepEqual(await Promise.all(asked), [1, 2, 3])
    }
    await Promise.all(apps.map((app) => app.close()))
  })

  test('fake timers and a mocked random have no effect', async () => {
    await using app = await launchApp('hazards')
    mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'setImmediate', 'Date'], now: 0 })
    mock.method(Math, 'random', () => 0.5)
    try {
      assert.equal(app.xpcService.send('ping', undefined, { decoding: String }), 'pong')
      assert.equal(catchError(() => app.xpcService.send('slow', 500, { timeout: 20 })).code, 'timeout')
      assert.equal((await catchRejection(app.xpcService.sendAsync('slow', 500, { timeout: 20 }))).code, 'timeout')
      await using second = await launchApp('hazards')
      assert.equal(await second.xpcService.sendAsync('ping', undefined, { decoding: String }), 'pong')
      mock.timers.reset()
    } finally {
      mock.timers.reset()
      mock.restoreAll()
    }
  })

  test('the end of the app is detected even if its own child holds the pipes', async () => {
    const app = await launchApp('hazards')
    const holder = app.xpcService.send('leaveGrandchild', undefined, { decoding: Number })
    app.xpcService.send('dieSoon', 20)
    const error = catchError(() => app.xpcService.send('slow', 20_000))
    process.kill(holder, 'SIGKILL')
    assert.match(error.message, /SIGKILL/)
  })
})
