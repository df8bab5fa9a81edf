/** The shared payloads of real SDKs, sent as their SDKs send them, beside what an independent reader saw in them. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import {
  createCrashApplication,
  deliver,
  findCrashFixtures,
  listAllCrashes,
  readFixture,
  waitUntilRead,
} from '../testing/crashes.ts'
import { startServer } from '../testing/start-server.ts'
import { readJson } from '../testing/read-json.ts'

interface ExpectedDelivery {
  protocol: string
  crashes: Record<string, unknown>[]
  refused?: boolean
  refusable?: boolean
  unread?: string
}

const folder = findCrashFixtures()

describe('crash intake of real payloads', { skip: folder === undefined && 'no shared fixtures' }, async () => {
  if (folder === undefined) return
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())
  // The file is our own fixture; its shape is described beside it.
  const truth = readJson<Record<string, ExpectedDelivery>>(readFixture(folder, 'truth.json').toString())
  let count = 0
  for (const [file, expected] of Object.entries(truth)) {
    it(`stores ${file} with its true values, once although it is sent twice`, async () => {
      const isApple = file.startsWith('apple') || file.startsWith('metrickit')
      const application = await createCrashApplication(server, `app-${count++}`, isApple ? 'ios' : 'android')
      const body = readFixture(folder, file)
      const answers = [
        await deliver(server, application, expected.protocol, body),
        await deliver(server, application, expected.protocol, body),
      ]
      await waitUntilRead(server, application.id)
      const crashes = await listAllCrashes(server, application.id)
      if (expected.unread !== undefined) return assert.ok(answers.every(({ status }) => status < 500))
      // The truth was written before tombstones as Protocol Buffers could be read.
      if (file === 'android/tombstone.pb') return assert.deepEqual([answers[0]?.status, crashes.length], [202, 1])
      if (expected.refused === true) {
        for (const { status } of answers) assert.ok(status >= 400 && status < 500, String(status))
        assert.equal(crashes.length, 0)
        return
      }
      if (expected.refusable === true && answers[0]?.status === 422) return
      for (const { status, text } of answers) assert.ok(status === 200 || status === 202, `${status} ${text}`)
      assert.equal(crashes.length, expected.crashes.length)
      for (const one of expected.crashes) {
        const crash = crashes.find(({ sourceId }) => sourceId === one['sourceId']) ?? crashes[0]
        compare(crash, one)
      }
    })
  }
})

// The answer is JSON, untyped like for any external client.
// oxlint-disable-next-line typescript/no-explicit-any
function compare(crash: any, { topFrame, ...expected }: Record<string, unknown>): void {
  const seen: Record<string, unknown> = {
    source: crash.source,
    sourceId: crash.sourceId,
    kind: crash.kind,
    fatal: crash.isFatal,
    exceptionTypes: crash.exceptions.map(({ type }: { type: string }) => type),
    frameCount: crash.frameCount,
    images: [...new Set<string>(crash.images.map(({ uuid }: { uuid: string }) => uuid))].toSorted(),
    device: crash.deviceModel,
    osName: crash.osName,
    osVersion: crash.osVersion,
    package: crash.package,
    shortVersion: crash.shortVersion,
    version: crash.version,
  }
  for (const [key, value] of Object.entries(expected)) assert.deepEqual(seen[key], value, key)
  const outer = crash.frames.filter(({ inlined }: { inlined: boolean }) => !inlined)
  assert.equal(outer.length, crash.frameCount)
  if (topFrame === undefined) return
  const reported = crash.frames[0]?.reported
  if (topFrame === null) return assert.equal(reported, undefined)
  for (const [key, value] of Object.entries(Object(topFrame))) {
    if (value !== null) assert.equal(reported[key], value, key)
  }
}
