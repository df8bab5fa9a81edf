import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { requireAt } from '@fairlead/invariant'
import { type CrashApplication, createCrashApplication, deliver, waitUntilRead } from '../testing/crashes.ts'
import {
  createRandom,
  measureBCubed,
  type PlantedApp,
  type PlantedBuild,
  plantBugs,
  plantedPackage,
  shuffle,
} from '../testing/planted-bugs.ts'
import { startServer } from '../testing/start-server.ts'

describe('groups of planted bugs over six builds', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())
  const app = plantBugs(7)

  const upload = async (alias: string, { mapping, version, shortVersion }: PlantedBuild) => {
    const headers = {
      'X-Service-Application-Alias': alias,
      'X-Service-Package': plantedPackage,
      'X-Service-Version-Name': shortVersion,
      'X-Service-Version-Code': version,
    }
    const answer = await server.call('POST', '/v2/symbolsFiles', { headers, body: mapping })
    assert.equal(answer.status, 201, answer.text)
  }
  const send = async (application: CrashApplication, { event }: PlantedApp['crashes'][number]) => {
    const answer = await deliver(server, application, 'sentry-store', JSON.stringify(event))
    assert.equal(answer.status, 200, answer.text)
  }

  /** The groups with their crashes and totals, which must be the same in whatever order deliveries arrive. */
  const describeGroups = async ({ id }: CrashApplication) => {
    const { json: groups } = await server.call('GET', `/v1/applications/${id}/crashGroups`)
    const described = []
    const items: { label: unknown; cluster: unknown }[] = []
    const bugs = new Map(app.crashes.map(({ bug, event }) => [event.event_id, bug]))
    for (const group of groups) {
      const { json: crashes } = await server.call('GET', `/v1/crashGroups/${group.id}/crashes`)
      const sourceIds = crashes.map(({ sourceId }: { sourceId: string }) => sourceId).toSorted()
      for (const id of sourceIds) items.push({ label: bugs.get(id), cluster: group.id })
      assert.equal(group.crashCount, sourceIds.length)
      const { title, culprit, key, kind, exceptionTypes, installCount, firstRelease, lastRelease } = group
      const { firstSeenDate, lastSeenDate } = group
      const { json: statistics } = await server.call('GET', `/v1/crashGroups/${group.id}/statistics`)
      described.push({
        sourceIds,
        totals: { title, culprit, key, kind, exceptionTypes, installCount, firstRelease, lastRelease },
        dates: { firstSeenDate, lastSeenDate },
        days: statistics.days,
        // The rows of releases are in the order of the releases, which is that of their build numbers.
        releases: statistics.releases,
      })
    }
    described.sort((one, other) => (String(one.sourceIds) < String(other.sourceIds) ? -1 : 1))
    return { described, f1: measureBCubed(items), count: items.length }
  }

  /** Runs steps, several at a time as apps do. */
  const run = async (steps: (() => Promise<void>)[]) => {
    for (let at = 0; at < steps.length; at += 16) await Promise.all(steps.slice(at, at + 16).map((step) => step()))
  }

  const orders: Record<string, (application: CrashApplication, alias: string) => Promise<void>> = {
    'symbols-first': async (application, alias) => {
      for (const build of app.builds) await upload(alias, build)
      await run(app.crashes.map((crash) => () => send(application, crash)))
    },
    'symbols-last': async (application, alias) => {
      await run(app.crashes.map((crash) => () => send(application, crash)))
      await waitUntilRead(server, application.id)
      for (const build of app.builds.toReversed()) await upload(alias, build)
    },
    shuffled: async (application, alias) => {
      const twice = [...app.crashes, ...app.crashes].map((crash) => () => send(application, crash))
      const steps = shuffle([...twice, ...app.builds.map((build) => () => upload(alias, build))], createRandom(3))
      await run(steps)
    },
  }

  const results = new Map<string, Awaited<ReturnType<typeof describeGroups>>>()
  for (const [alias, arrive] of Object.entries(orders)) {
    it(`match the planted bugs: ${alias}`, async () => {
      const application = await createCrashApplication(server, alias)
      await arrive(application, alias)
      const { json: intake } = await waitUntilRead(server, application.id)
      const result = await describeGroups(application)
      results.set(alias, result)
      assert.equal(result.count, app.crashes.length)
      assert.ok(result.f1 >= 0.99, `BCubed F1 is ${result.f1} with ${result.described.length} groups`)
      assert.equal(intake.waitingStackCount, 0)
      if (alias === 'shuffled') assert.equal(intake.droppedCounts.duplicate, app.crashes.length)
      const { json: missing } = await server.call('GET', `/v1/applications/${application.id}/missingSymbols`)
      assert.deepEqual(missing, [])
    })
  }

  it('are the same whether symbols come first, last or in between, with every event sent twice', () => {
    const [first, ...others] = [...results.values()]
    assert.equal(others.length, 2)
    for (const other of others) assert.deepEqual(other.described, first?.described)
  })

  it('are redirected when late symbols empty them, and list the mappings that they wait for before', async () => {
    const application = await createCrashApplication(server, 'redirected')
    const [crash] = app.crashes
    assert.ok(crash)
    await send(application, crash)
    await waitUntilRead(server, application.id)
    const path = `/v1/applications/${application.id}`
    const { json: missing } = await server.call('GET', `${path}/missingSymbols`)
    const build = requireAt(app.builds, crash.build)
    assert.deepEqual(missing, [
      {
        kind: 'proguard',
        codeId: null,
        uuid: null,
        name: null,
        package: plantedPackage,
        shortVersion: build.shortVersion,
        version: build.version,
        stackCount: 1,
        crashCount: 1,
      },
    ])
    const { json: before } = await server.call('GET', `${path}/crashGroups`)
    const assigned = await server.call('PATCH', `/v1/crashGroups/${before[0].id}`, { json: { status: 'ignored' } })
    assert.equal(assigned.json.status, 'ignored')
    await upload('redirected', build)
    await waitUntilRead(server, application.id)
    const { json: groups } = await server.call('GET', `${path}/crashGroups`)
    assert.equal(groups.length, 1)
    assert.equal(groups[0].status, 'ignored')
    assert.match(groups[0].culprit, /^org\.tarn\.ledger\./)
    const moved = await server.call('GET', `/v1/crashGroups/${before[0].id}`)
    assert.equal(moved.status, 301)
    assert.ok(moved.headers.get('location')?.endsWith(`/v1/crashGroups/${groups[0].id}`))
  })
})
