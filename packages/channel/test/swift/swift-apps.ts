/**
 * Tests in TypeScript with apps in Swift. `npm run test:swift` runs this file where the toolchain is; its name does not
 * end in `.test.ts`, because `npm test` needs no Swift.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { launch, openSession } from '@fairlead/channel/test'
import { testExchange } from '../exchange.ts'
import { catchError } from '../expect-error.ts'
import { testHazards } from '../hazard-cases.ts'

const program = (name: string) => join(import.meta.dirname, '../../swift/.build/debug', name)

for (const queue of ['main', 'channel']) {
  describe(`an app in Swift with its handlers on ${queue}`, () => {
    testExchange(() => launch({ command: program('EchoApp'), args: [queue] }))
    const launchHazards = () => launch({ command: program('HazardsApp'), args: [queue] })
    testHazards({ launch: launchHazards, isNode: false, startsInOrder: false })

    test('exchanges every kind of value', async () => {
      await using app = await launch({ command: program('EchoApp'), args: [queue] })
      const content = {
        bytes: new Uint8Array([0, 255]),
        floats: new Float64Array([1.5, -2]),
        at: new Date(5),
        odd: [NaN, -0, -Infinity, undefined, 2n ** 80n],
        map: new Map<unknown, unknown>([['a', { $b: 1 }]]),
        set: new Set(['x']),
        url: new URL('https://a.b/?c'),
        expression: /a"b/gu,
        text: 'ä'.repeat(5000),
        $: ['Date', 1],
      }
      assert.deepEqual(app.xpcService.send('echo', content, { decoding: Object }), content)
      app.xpcService.on('asyncInTest', {}, async () => {})
      assert.match(catchError(() => app.xpcService.send('askAsync')).message, /wouldDeadlock|can never be answered/)
    })

    test('is found at a session if another tool launches it', async () => {
      using session = openSession()
      const child = spawn(program('EchoApp'), [queue], { env: { ...process.env, ...session.env }, stdio: 'inherit' })
      const app = await session.connect()
      assert.equal(app.pid, child.pid)
      assert.equal(app.xpcService.send('echo', 5, { decoding: Number }), 5)
      child.kill()
      await app.exited
    })
  })
}
