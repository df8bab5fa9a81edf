import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { CrashesError } from '../crashes-error.ts'
import { createCrashReader } from './crash-reader.ts'

const children = `/proc/${process.pid}/task/${process.pid}/children`
const delivery = {
  body: Buffer.from('java.lang.Error\n\tat com.example.Cart.pay(Cart.java:1)\n'),
  encoding: null,
  protocol: 'report',
  options: { shortVersion: '1.0', version: '1' },
} as const

const settings = { installSecret: Buffer.alloc(32), keepsCustomData: false }

describe('a reader of crashes', () => {
  it('reads a delivery again if its process was killed from outside', { skip: !existsSync(children) }, async () => {
    await using reader = createCrashReader()
    const reading = reader.read([delivery, delivery], settings)
    while (readFileSync(children, 'utf8') === '') await setImmediate()
    const pid = Number(readFileSync(children, 'utf8').split(' ')[0])
    // An id of 0 would mean every process of this group, the runner of the tests included.
    assert.ok(pid > 1)
    process.kill(pid, 'SIGKILL')
    const read = await reading
    assert.deepEqual(
      read.map((one) => !(one instanceof CrashesError) && one.crashes.length),
      [1, 1],
    )
  })

  it(
    'does not lose a delivery on a machine so busy that its process is not run',
    { skip: !existsSync(children) },
    async () => {
      await using reader = createCrashReader({ processorMs: 2000 })
      const reading = reader.read([delivery], settings)
      while (readFileSync(children, 'utf8') === '') await setImmediate()
      const pid = Number(readFileSync(children, 'utf8').split(' ')[0])
      assert.ok(pid > 1)
      process.kill(pid, 'SIGSTOP')
      // The clock passes the limit of the processor time, of which a stopped process uses none.
      await sleep(2500)
      process.kill(pid, 'SIGCONT')
      const [read] = await reading
      assert.ok(read && !(read instanceof CrashesError) && read.crashes.length === 1)
      assert.equal(readFileSync(children, 'utf8').trim(), String(pid), 'it was read by the first process')
    },
  )

  it('does not call a delivery too costly because it was closed, so that the delivery is read later', async () => {
    const reader = createCrashReader()
    const closed = { name: 'WorkerError', code: 'closed' }
    const reading = assert.rejects(reader.read([delivery], settings), closed)
    const waiting = assert.rejects(reader.resolve([], { rules: [], identifiers: [] }), closed)
    await reader[Symbol.asyncDispose]()
    await Promise.all([reading, waiting])
  })

  it('reads as many deliveries as it is given, and reports one that cannot be read in its place', async () => {
    await using reader = createCrashReader()
    const damaged = { ...delivery, encoding: 'gzip' } as const
    // Random text does not become smaller when it is packed, so that the answer is too large for one message.
    const breadcrumbs = Array.from({ length: 100 }, () => ({ message: randomBytes(3000).toString('base64') }))
    const body = Buffer.from(JSON.stringify({ level: 'fatal', breadcrumbs }))
    const large = Array.from({ length: 20 }, () => ({ ...delivery, body, protocol: 'store' as const }))
    const read = await reader.read([delivery, damaged, ...large, delivery], settings)
    assert.equal(read.length, 23)
    const failed = read.filter((one) => one instanceof CrashesError)
    assert.deepEqual(
      failed.map(({ code }) => code),
      ['damaged-encoding'],
    )
    assert.equal(read[1], failed[0])
  })
})
