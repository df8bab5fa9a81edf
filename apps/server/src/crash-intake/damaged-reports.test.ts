/** Bytes that are no report, and reports that a log, a mail or a copy has damaged, through both endpoints. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { createCrashApplication, deliver, listAllCrashes, waitUntilRead } from '../testing/crashes.ts'
import { startServer } from '../testing/start-server.ts'

const tombstone = `pid: 7, tid: 7, name: shop  >>> org.shop <<<
signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0
backtrace:
      #00 pc 00000000000bad10  /data/app/org.shop-1/lib/arm64/libcart.so (total+16)
      #01 pc 0000000000000040  /data/app/org.shop-1/lib/arm64/libcart.so (open+4)
`
const trace = 'java.lang.IllegalStateException: no wallet\n\tat org.shop.Cart.pay(Cart.java:12)\n'
const log = `11-01 10:00:07.123  4242  4260 E AndroidRuntime: FATAL EXCEPTION: main
11-01 10:00:07.123  4242  4260 E AndroidRuntime: java.lang.IllegalStateException: no wallet
11-01 10:00:07.123  4242  4260 E AndroidRuntime: \tat org.shop.Cart.pay(Cart.java:12)
`
const apple = `Process:               Shop [1]
Thread 0 Crashed:
0   Shop                          \t0x0000000102268e70 0x10211c000 + 1363568
`

/** Each with what is read of it: the exceptions, and the names of the frames. */
const damaged: Record<string, [body: string, exceptions: string[], frames: (string | null)[]]> = {
  'a quoted tombstone': [tombstone.replace(/^/gm, '> '), ['SIGSEGV'], ['total', 'open']],
  'a tombstone behind the prefix of another log': [
    tombstone.replace(/^/gm, '[10:00:07] crash-reporter '),
    ['SIGSEGV'],
    ['total', 'open'],
  ],
  'a log of a signal without frames': [
    '11-01 10:00:07.123  4242  4260 F libc: Fatal signal 11 (SIGSEGV), code 1 (SEGV_MAPERR)\n',
    ['SIGSEGV'],
    [],
  ],
  'a tombstone with a zero byte': [`Build fingerprint: '\0'\n${tombstone}`, ['SIGSEGV'], ['total', 'open']],
  'a quoted trace': [trace.replace(/^/gm, '> '), ['java.lang.IllegalStateException'], ['org.shop.Cart.pay']],
  'a trace with a zero byte': [
    trace.replace('wallet', 'wal\0let'),
    ['java.lang.IllegalStateException'],
    ['org.shop.Cart.pay'],
  ],
  'an indented log': [log.replace(/^/gm, '    '), ['java.lang.IllegalStateException'], ['org.shop.Cart.pay']],
  'a crash of Apple without its first lines': [apple, [], [null]],
}

/** Messages of Protocol Buffers in which some fields have the numbers of a tombstone's. */
const garbage = {
  'a signal without a number': [0x08, 0x01, 0x52, 0x02, 0x18, 0x05],
  'a signal that is a number': [0x08, 0x01, 0x50, 0x0b],
  'a thread without frames': [0x08, 0x01, 0x82, 0x01, 0x02, 0x08, 0x07],
  'a thread with an empty frame': [0x08, 0x01, 0x82, 0x01, 0x06, 0x08, 0x07, 0x12, 0x02, 0x22, 0x00],
}

describe('POST …/crashes and symbolicate', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())
  const app = await createCrashApplication(server, 'damaged')

  const send = async (body: Uint8Array<ArrayBuffer>) => {
    const sent = await deliver(server, app, 'raw', body)
    const read = await server.call('POST', `/v1/applications/${app.id}/symbolicate`, { body })
    return { sent, read }
  }

  it('refuse bytes that only begin like a tombstone, and a long file of them', async () => {
    const long = new Uint8Array(3 * 2 ** 20).fill(0xff)
    for (const [name, bytes] of Object.entries(garbage)) {
      const { sent, read } = await send(Uint8Array.from(bytes))
      assert.deepEqual([sent.status, read.status], [422, 422], `${name}: ${read.text}`)
      long.set(bytes)
      const { status } = await server.call('POST', `/v1/applications/${app.id}/symbolicate`, { body: long })
      assert.equal(status, 422, name)
    }
  })

  for (const [name, [body, exceptions, frames]] of Object.entries(damaged)) {
    it(`read ${name}`, async () => {
      const { sent, read } = await send(Uint8Array.from(Buffer.from(body)))
      assert.deepEqual([sent.status, read.status], [202, 200], `${sent.text} ${read.text}`)
      await waitUntilRead(server, app.id)
      const crash = (await listAllCrashes(server, app.id)).find(({ sourceId }) => sourceId === sent.json.id)
      assert.deepEqual(
        [
          crash.exceptions.map(({ type }: { type: string }) => type),
          crash.frames.map((frame: { function: string | null }) => frame.function),
        ],
        [exceptions, frames],
      )
    })
  }
})
