/** The two endpoints that take the text of a crash accept and refuse the same bytes. */
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

const texts = {
  'an exception without a package': 'ab: gone\n\tat ac.b(SourceFile:3)\n',
  'a thread of the runtime': 'Exception in thread "main" ab: gone\n\tat ac.b(SourceFile:3)\n',
  'a trace of Play Console': 'Exception ab: gone\n  at ac.b (SourceFile:3)\nCaused by cd: x\n  at e.f (SourceFile:1)\n',
  'a trace of Crashlytics': 'Fatal Exception: ab: gone\n       at ac.b(SourceFile:3)\n',
  'frames alone': '\tat ac.b(SourceFile:3)\n',
  'a log that begins with JSON': '{"level":"error"}\njava.lang.Error: x\n\tat a.a.a(SourceFile:1)\n',
  'an apology': 'Dear support, it crashed.',
  'a host name': 'example.com',
  nothing: '',
  JSON: '{"level":"error"}',
  'an exception without frames': 'java.lang.IllegalStateException: no wallet',
  'the name of an exception in a sentence': 'I saw java.lang.IllegalStateException today.',
}

describe('POST …/crashes and symbolicate', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())
  const android = await createCrashApplication(server, 'same-android')
  const ios = await createCrashApplication(server, 'same-ios', 'ios')

  for (const [name, text] of Object.entries(texts)) {
    it(`answer alike for ${name}`, async () => {
      for (const app of [android, ios]) {
        const sent = await deliver(server, app, 'raw', text)
        const read = await server.call('POST', `/v1/applications/${app.id}/symbolicate`, { body: text })
        assert.equal(sent.status === 202, read.status === 200, `${sent.text} ${read.text}`)
      }
    })
  }

  it('see the same frames and exceptions', async () => {
    const app = await createCrashApplication(server, 'same-frames')
    const text = texts['a trace of Play Console']
    await deliver(server, app, 'raw', text)
    await waitUntilRead(server, app.id)
    const [crash] = await listAllCrashes(server, app.id)
    assert.deepEqual(
      crash.exceptions.map(({ type }: { type: string }) => type),
      ['ab', 'cd'],
    )
    const { json } = await server.call('POST', `/v1/applications/${app.id}/symbolicate`, { body: text })
    assert.equal(json.threads[1].frames[0].function, crash.frames[0].function)
  })

  const folder = findCrashFixtures()
  it(
    'answer alike for the reports of the fixtures',
    { skip: folder === undefined && 'no shared fixtures' },
    async () => {
      if (folder === undefined) return
      const truth: Record<string, { protocol: string; refusable?: boolean }> = JSON.parse(
        readFixture(folder, 'truth.json').toString(),
      )
      for (const [file, { protocol, refusable }] of Object.entries(truth)) {
        // A report without a frame is of no use to intake.
        if (refusable === true) continue
        if (protocol !== 'raw') continue
        const body = readFixture(folder, file)
        const sent = await deliver(server, android, 'raw', body)
        const read = await server.call('POST', `/v1/applications/${android.id}/symbolicate`, { body })
        assert.equal(sent.status === 202, read.status === 200, `${file}: ${sent.text} ${read.text.slice(0, 300)}`)
      }
    },
  )
})
