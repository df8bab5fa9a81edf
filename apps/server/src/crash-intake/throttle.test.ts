import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { createCrashApplication, deliver, waitUntilRead } from '../testing/crashes.ts'
import { startServer } from '../testing/start-server.ts'

/** The most deliveries of one key in a minute. */
const perMinute = 3000
const parallel = 50

describe('a crash key that sends more than its share', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())

  it('is told to wait in the way that each SDK understands, while other keys are accepted', async () => {
    const app = await createCrashApplication(server, 'flooding')
    const other = await createCrashApplication(server, 'quiet')
    // A body that cannot be read counts as well and costs the least.
    const send = () => deliver(server, app, 'sentry-envelope', 'no envelope')
    for (let sent = 0; sent < perMinute; sent += parallel) {
      const answers = await Promise.all(Array.from({ length: parallel }, send))
      assert.ok(answers.every(({ status }) => status === 400))
    }
    const sentry = await send()
    assert.equal(sentry.status, 429)
    const seconds = Number(sentry.headers.get('retry-after'))
    assert.ok(seconds > 0 && seconds <= 60, String(seconds))
    assert.match(sentry.headers.get('x-sentry-rate-limits') ?? '', /^\d+:error:key/)
    const appCenter = await deliver(server, app, 'appcenter', '{"logs": []}')
    assert.equal(appCenter.status, 429)
    const waitMs = Number(appCenter.headers.get('x-ms-retry-after-ms'))
    assert.ok(waitMs > 0 && waitMs <= 60_000, String(waitMs))
    // ACRA keeps a report for 503 and drops it for 429.
    const acra = await deliver(server, app, 'acra-json', '{}')
    assert.equal(acra.status, 503)
    assert.ok(Number(acra.headers.get('retry-after')) > 0)

    const readCounts = async () => {
      const { json } = await server.call('GET', `/v1/applications/${app.id}/crashIntake`)
      const counts: Record<string, number> = json.droppedCounts
      return counts
    }
    // The counts are written together a moment later.
    while ((await readCounts()).throttled !== 3) await setTimeout(50)

    const trace = 'java.lang.Error: x\n\tat org.tarn.Shop.open(S.java:1)'
    assert.equal((await deliver(server, other, 'raw', trace)).status, 202)
    await waitUntilRead(server, other.id)
  })
})
