/** Two bugs of an app that meet a usual library are two groups, by every protocol and whoever called whom. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { usualLibraries } from '@fairlead/crashes/fixture'
import { requireKey } from '@fairlead/invariant'
import { createCrashApplication, deliver, listAllCrashes, waitUntilRead } from '../testing/crashes.ts'
import { type ObfuscatedBuild, senders } from '../testing/obfuscated-bugs.ts'
import { startServer } from '../testing/start-server.ts'

const own = ['org.shop.Cart.load', 'org.shop.Wallet.pay']
const build: ObfuscatedBuild = { shortVersion: '1.0', version: '1', mapping: '', crashes: [] }

interface Planted {
  type: string
  culprit: string
  trace: string
}

/** Each library above and below each of two bugs. The exception names both, so that two groups of it are two bugs. */
const planted: Planted[] = usualLibraries.flatMap((library, index) =>
  ['Above', 'Below'].flatMap((order) =>
    own.map((culprit) => {
      const type = `org.shop.${order}Failure${String.fromCodePoint(65 + index)}`
      const inner = order === 'Above' ? [library, 'java.util.concurrent.FutureTask.run', culprit] : [culprit, library]
      const frames = [...inner, 'android.os.Looper.loop'].map((name) => `\tat ${name}(SourceFile:7)\n`)
      return { type, culprit, trace: `${type}: it broke\n${frames.join('')}` }
    }),
  ),
)

/** The body of each protocol, made of those that the bugs of obfuscated programs are sent in. */
const bodies: Record<string, (trace: string, number: number) => string> = {
  'sentry-store': (trace, number) => send('sentry-store', trace, number),
  'sentry-envelope': (trace, number) => `{}\n{"type":"event"}\n${send('sentry-store', trace, number)}\n`,
  appcenter: (trace, number) => send('appcenter', trace, number),
  'acra-json': (trace, number) => send('acra-json', trace, number),
  'acra-form': (trace, number) => new URLSearchParams(toFields(trace, number)).toString(),
  'acra-multipart': (trace, number) => {
    const boundary = '--%&ACRA_REPORT_DIVIDER&%'
    const head = 'Content-Disposition: form-data; name="ACRA_REPORT"\r\nContent-Type: application/json\r\n\r\n'
    return `${boundary}\r\n${head}${send('acra-json', trace, number)}\r\n${boundary}--\r\n`
  },
  raw: (trace, number) => send('raw', trace, number),
}

function send(protocol: string, trace: string, number: number): string {
  return requireKey(new Map(Object.entries(senders)), protocol)({ build, trace, number }).body
}

function toFields(trace: string, number: number): Record<string, string> {
  return JSON.parse(send('acra-json', trace, number))
}

describe('two bugs behind one usual library', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())

  for (const [protocol, toBody] of Object.entries(bodies)) {
    it(`are two groups by ${protocol}, above and below the library`, async () => {
      const app = await createCrashApplication(server, `libraries-${protocol}`)
      for (const [number, { trace }] of planted.entries()) {
        const answer = await deliver(server, app, protocol, toBody(trace, number))
        assert.ok(answer.status === 200 || answer.status === 202, answer.text)
      }
      await waitUntilRead(server, app.id)
      const { json: groups } = await server.call('GET', `/v1/applications/${app.id}/crashGroups`)
      assert.deepEqual(
        groups
          .map((group: { exceptionTypes: string[]; culprit: string; crashCount: number }) => {
            return `${group.exceptionTypes.join()} ${group.culprit} ${group.crashCount}`
          })
          .toSorted(),
        planted.map(({ type, culprit }) => `${type} ${culprit} 1`).toSorted(),
      )
    })
  }

  it('are one group each, whatever door their crashes come by', async () => {
    const app = await createCrashApplication(server, 'libraries-doors')
    const cause = 'Caused by: java.io.IOException: closed\n\tat org.shop.Wire.read(Wire.kt:3)\n'
    const traces = [
      ...planted.slice(0, 4).map(({ trace }) => trace),
      `org.shop.Unpaid: no money\n\tat org.shop.Wallet.pay(Wallet.kt:7)\n${cause}\t... 1 more\n`,
      'ab: gone\n\tat cd.e(SourceFile:3)\n',
    ]
    const doors = Object.values(bodies).length
    let number = 0
    for (const trace of traces) {
      for (const [protocol, toBody] of Object.entries(bodies)) {
        const answer = await deliver(server, app, protocol, toBody(trace, number++))
        assert.ok(answer.status === 200 || answer.status === 202, answer.text)
      }
    }
    await waitUntilRead(server, app.id)
    const { json: groups } = await server.call('GET', `/v1/applications/${app.id}/crashGroups`)
    assert.deepEqual(
      groups.map(({ crashCount }: { crashCount: number }) => crashCount),
      traces.map(() => doors),
      JSON.stringify(groups.map(({ key, crashCount }: { key: string[]; crashCount: number }) => [key, crashCount])),
    )
  })

  it('have the same frames in symbolicate as on the pages of their crashes', async () => {
    const app = await createCrashApplication(server, 'libraries-symbolicate')
    const byType = new Map<string, string[]>()
    for (const [number, { type, culprit, trace }] of planted.entries()) {
      const body = toBodyOfRaw(trace, number)
      const { json, status, text } = await server.call('POST', `/v1/applications/${app.id}/symbolicate`, { body })
      assert.equal(status, 200, text)
      byType.set(`${type} ${culprit}`, toNames(json.threads.at(-1).frames))
      await deliver(server, app, 'raw', body)
    }
    await waitUntilRead(server, app.id)
    const crashes = await listAllCrashes(server, app.id)
    assert.equal(crashes.length, planted.length)
    for (const { exceptions, frames } of crashes) {
      const names = toNames(frames)
      const culprit = own.find((name) => names.includes(name)) ?? assert.fail(names.join())
      assert.deepEqual(names, requireKey(byType, `${exceptions[0].type} ${culprit}`))
    }
  })
})

function toBodyOfRaw(trace: string, number: number): string {
  return send('raw', trace, number)
}

function toNames(frames: { function: string }[]): string[] {
  return frames.map((frame) => frame.function)
}
