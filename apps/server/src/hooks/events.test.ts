import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { parseJsonText, toJsonText } from '../db/json-text.ts'
import { openDatabase } from '../db/open.ts'
import { createCrashApplication, deliver, waitUntilRead } from '../testing/crashes.ts'
import { type HookReceiver, type ReceivedDelivery, startHookReceiver } from '../testing/hook-receiver.ts'
import { startServer, type TestServer } from '../testing/start-server.ts'
import { completeRun, uploadReport } from '../testing/test-reports.ts'
import { createApplication, uploadApk } from '../testing/upload.ts'

describe('Events of hooks', () => {
  let receiver: HookReceiver
  let server: TestServer

  before(async () => {
    receiver = await startHookReceiver()
    server = await startServer({ FAIRLEAD_HOOKS_ALLOW: receiver.host })
    for (const events of [['*'], ['install.recorded']]) {
      const json = { name: 'All', url: receiver.url, events, includes: ['people'] }
      assert.equal((await server.call('POST', '/v1/hooks', { json })).status, 201)
    }
  })
  after(async () => {
    await server[Symbol.asyncDispose]()
    await receiver[Symbol.asyncDispose]()
  })

  const waitFor = (type: string, isWanted: (delivery: ReceivedDelivery) => boolean = () => true, count = 1) =>
    receiver.waitFor((delivery) => delivery.json.type === type && isWanted(delivery), count)

  it('tell of symbols, with the number of images', async () => {
    await createApplication(server, 'shop')
    const answer = await server.call('POST', '/v2/symbolsFiles', {
      headers: {
        'X-Service-Application-Alias': 'shop',
        'X-Service-Package': 'com.example.shop',
        'X-Service-Version-Name': '1.0',
        'X-Service-Version-Code': '1',
      },
      body: 'com.example.Shop -> a:\n    void open() -> a\n',
    })
    assert.equal(answer.status, 201, answer.text)
    const { data } = (await waitFor('symbols.uploaded')).json
    assert.deepEqual([data.kind, data.shortVersion, data.version, data.imageCount], ['proguard', '1.0', '1', 1])
    assert.match(data.links.api, new RegExp(`/v1/symbolsFiles/${data.symbolsFileId}$`))
  })

  it('tell of installs where they are named, once each', async () => {
    const build = await uploadApk(server, { alias: 'shop' })
    const { pathname } = new URL(build.installUrl)
    const page = await server.call('GET', pathname, { token: null })
    const [, href = ''] = /href="([^"]*\/(?:apk|binary|download)[^"]*)"/.exec(page.text) ?? []
    const target = new URL(href.replaceAll('&amp;', '&'), server.url)
    const download = await server.call('GET', target.pathname + target.search, { token: null })
    assert.equal(download.status, 200, page.text)
    const { data } = (await waitFor('install.recorded')).json
    assert.deepEqual([data.buildId, data.installCount, data.tester], [build.id, 1, null])
    assert.equal(receiver.deliveries.filter(({ json }) => json.type === 'install.recorded').length, 1)
  })

  it('tell of a new crash group at once, and when it is back', async () => {
    const application = await createCrashApplication(server, 'crashing')
    const trace = 'java.lang.Error: x\n\tat com.example.Shop.open(Shop.java:1)'
    await deliver(server, application, 'raw', trace)
    await waitUntilRead(server, application.id)
    const created = (await waitFor('crashGroup.created')).json
    const { data } = created
    assert.equal(data.applicationAlias, 'crashing')
    assert.deepEqual([data.kind, data.crashCount, data.isSymbolicated], ['crash', 1, true])
    assert.match(data.links.page, new RegExp(`/applications/${application.id}/crashes/${data.crashGroupId}$`))
    const path = `/v1/crashGroups/${data.crashGroupId}`
    await server.call('PATCH', path, { json: { resolvedInVersion: '1' } })
    const headers = { 'X-Service-Version': '2' }
    const again = await server.call('POST', `/v1/applications/${application.id}/crashes`, {
      headers,
      body: `${trace}\n`,
    })
    assert.equal(again.status, 202, again.text)
    await waitUntilRead(server, application.id)
    const regressed = (await waitFor('crashGroup.regressed')).json
    assert.deepEqual([regressed.data.crashGroupId, regressed.data.crashCount], [data.crashGroupId, 2])
    assert.equal(receiver.deliveries.filter(({ json }) => json.type === 'crashGroup.created').length, 1)
  })

  it('tell of a spike when it begins, and no more in that hour', async () => {
    const application = await createCrashApplication(server, 'spiking')
    const send = async (crashes: number) => {
      for (let count = 0; count < crashes; count++) {
        const trace = `java.lang.Error: ${crashes} ${count}\n\tat com.example.Shop.spike(Shop.java:1)`
        await deliver(server, application, 'raw', trace)
      }
      await waitUntilRead(server, application.id)
    }
    await send(1)
    await waitFor('crashGroup.created', ({ json }) => json.data.applicationAlias === 'spiking')
    // A spike is measured against other hours, so one crash is moved into the hour before.
    await moveToHourBefore(server)
    await send(21)
    await send(22)
    const { data } = (await waitFor('crashGroup.spiked')).json
    assert.equal(data.applicationAlias, 'spiking')
    assert.equal(receiver.deliveries.filter(({ json }) => json.type === 'crashGroup.spiked').length, 1)
  })

  it('tell of test runs, changed verdicts and flaky tests', async () => {
    await createApplication(server, 'tested')
    const run = async (commit: string, failure?: string) => {
      const cases = [{ name: 'pays', ...(failure !== undefined && { failure }) }, { name: 'opens' }]
      const report = await uploadReport(server, cases, { alias: 'tested', branch: 'main', commit: commit.repeat(40) })
      await completeRun(server, report.run.id)
      return report.run.id
    }
    const first = await run('a')
    const completed = (await waitFor('testRun.completed')).json
    assert.deepEqual([completed.data.testRunId, completed.data.branch, completed.data.result], [first, 'main', 'pass'])
    assert.equal(completed.data.counts.cases, 2)
    const failing = await run('b', 'no money')
    const changed = (await waitFor('testRun.verdictChanged')).json
    assert.deepEqual([changed.data.testRunId, changed.data.from, changed.data.to], [failing, 'pass', 'fail'])
    await run('b')
    // A run that is open again, because it waits for shards, was completed before.
    const again = { alias: 'tested', branch: 'main', commit: 'b'.repeat(40), key: 'jobs' }
    await completeRun(server, (await uploadReport(server, [{ name: 'links' }], again)).run.id)
    for (const shard of ['1/2', '2/2']) await uploadReport(server, [{ name: shard }], { ...again, shard })
    await run('c', 'no money')
    await run('c')
    const flaky = (await waitFor('test.becameFlaky')).json
    assert.equal(flaky.data.name, 'pays')
    assert.equal(receiver.deliveries.filter(({ json }) => json.type === 'test.becameFlaky').length, 1)
    assert.equal(receiver.deliveries.filter(({ json }) => json.type === 'testRun.completed').length, 6)
  })
})

/** Moves the counted hours of all groups by one, as if their crashes had come an hour earlier. */
async function moveToHourBefore(server: TestServer): Promise<void> {
  const { db } = await openDatabase({ databaseUrl: server.databaseUrl, dataDir: server.dataDir })
  await using _closed = { [Symbol.asyncDispose]: () => db.destroy() }
  for (const { id, hours } of await db.selectFrom('crash_groups').select(['id', 'hours']).execute()) {
    if (hours === null) continue
    const moved = Object.entries(parseJsonText(hours)).map(([hour, count]) => [Number(hour) - 1, count] as const)
    await db
      .updateTable('crash_groups')
      .set({ hours: toJsonText(Object.fromEntries(moved)) })
      .where('id', '=', id)
      .execute()
  }
}
