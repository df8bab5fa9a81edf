import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { type CrashApplication, createCrashApplication, deliver, waitUntilRead } from '../testing/crashes.ts'
import { findNativeFixtures } from '../testing/fixtures.ts'
import { createRandom, measureBCubed, shuffle } from '../testing/planted-bugs.ts'
import { plantCppBugs, plantDartBugs, type PlantedNative, type PlantedUpload } from '../testing/planted-native.ts'
import { plantJavaScriptBugs } from '../testing/planted-javascript.ts'
import { startServer } from '../testing/start-server.ts'

const fixtures = findNativeFixtures()
const planted: Record<string, PlantedNative | undefined> = {
  'C++': plantCppBugs(11),
  JavaScript: await plantJavaScriptBugs(13),
  Dart: fixtures === undefined ? undefined : plantDartBugs(12, fixtures),
}

for (const [language, app] of Object.entries(planted)) {
  describe(`groups of planted bugs in ${language} over six builds`, { skip: app === undefined }, async () => {
    if (!app) return
    const server = await startServer()
    after(() => server[Symbol.asyncDispose]())

    const upload = async (alias: string, { body, headers }: PlantedUpload) => {
      const named = { 'X-Service-Application-Alias': alias, ...headers }
      const answer = await server.call('POST', '/v2/symbolsFiles', { headers: named, body })
      assert.equal(answer.status, 201, answer.text)
    }
    const send = async (application: CrashApplication, event: object) => {
      const answer = await deliver(server, application, 'sentry-store', JSON.stringify(event))
      assert.equal(answer.status, 200, answer.text)
    }
    const run = async (steps: (() => Promise<void>)[]) => {
      for (let at = 0; at < steps.length; at += 16) await Promise.all(steps.slice(at, at + 16).map((step) => step()))
    }
    const uploads = app.builds.flat()
    assert.equal(app.builds.length, 6)

    const describeGroups = async ({ id }: CrashApplication) => {
      const { json: groups } = await server.call('GET', `/v1/applications/${id}/crashGroups`)
      const bugs = new Map(app.crashes.map(({ bug, event }) => [event.event_id, bug]))
      const items: { label: unknown; cluster: unknown }[] = []
      const described = []
      for (const group of groups) {
        const { json: crashes } = await server.call('GET', `/v1/crashGroups/${group.id}/crashes?limit=200`)
        const sourceIds = crashes.map(({ sourceId }: { sourceId: string }) => sourceId).toSorted()
        for (const sourceId of sourceIds) items.push({ label: bugs.get(sourceId), cluster: group.id })
        const { title, culprit, key, exceptionTypes, crashCount } = group
        described.push({ sourceIds, title, culprit, key, exceptionTypes, crashCount })
      }
      described.sort((one, other) => (String(one.sourceIds) < String(other.sourceIds) ? -1 : 1))
      return { described, f1: measureBCubed(items), count: items.length }
    }

    const orders: Record<string, (application: CrashApplication, alias: string) => Promise<void>> = {
      first: async (application, alias) => {
        for (const one of uploads) await upload(alias, one)
        await run(
          app.crashes.map(
            ({ event }) =>
              () =>
                send(application, event),
          ),
        )
      },
      last: async (application, alias) => {
        await run(
          app.crashes.map(
            ({ event }) =>
              () =>
                send(application, event),
          ),
        )
        await waitUntilRead(server, application.id)
        for (const one of uploads.toReversed()) await upload(alias, one)
      },
      shuffled: async (application, alias) => {
        const steps = [
          ...app.crashes.map(
            ({ event }) =>
              () =>
                send(application, event),
          ),
          ...uploads.map((one) => () => upload(alias, one)),
        ]
        await run(shuffle(steps, createRandom(5)))
      },
    }
    const results: Awaited<ReturnType<typeof describeGroups>>[] = []
    for (const [order, arrive] of Object.entries(orders)) {
      it(`match the bugs when symbols come ${order}`, async () => {
        const application = await createCrashApplication(server, order)
        await arrive(application, order)
        const { json: intake } = await waitUntilRead(server, application.id)
        const result = await describeGroups(application)
        results.push(result)
        assert.equal(result.count, app.crashes.length)
        assert.ok(result.f1 >= 0.99, `BCubed F1 is ${result.f1} with ${result.described.length} groups`)
        assert.equal(intake.waitingStackCount, 0)
      })
    }

    it('are the same in every order', () => {
      assert.equal(results.length, 3)
      for (const { described } of results) assert.deepEqual(described, results[0]?.described)
    })
  })
}
