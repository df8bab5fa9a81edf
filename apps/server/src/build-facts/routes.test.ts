import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createCrashApplication, deliver, waitUntilRead } from '../testing/crashes.ts'
import { startServer } from '../testing/start-server.ts'
import { completeRun, uploadReport, writeJunit } from '../testing/test-reports.ts'
import { createApplication, uploadApk } from '../testing/upload.ts'

describe('the facts of builds', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())

  const upload = (alias: string, versionCode: number, headers: Record<string, string> = {}, bytes = 10) =>
    uploadApk(server, {
      alias,
      headers,
      apk: {
        packageName: `com.example.${alias}`,
        versionCode,
        versionName: `1.${versionCode}`,
        files: [{ name: 'assets/filler', data: randomBytes(bytes) }],
      },
    })
  const readFacts = async (applicationId: number, ids: number[]) => {
    const answer = await server.call('GET', `/v1/applications/${applicationId}/buildFacts?ids=${ids.join(',')}`)
    assert.equal(answer.status, 200, answer.text)
    return answer.json
  }

  it('say the verdict of its tests, its crashes, and how its size changed', async () => {
    const app = await createCrashApplication(server, 'facts')
    const first = await upload('facts', 1)
    const second = await upload('facts', 2, { 'X-Service-Commit': 'abc123' }, 4000)
    const third = await upload('facts', 3)
    const passed = await uploadReport(server, writeJunit([{ name: 'adds' }]), { alias: 'facts', buildId: first.id })
    await completeRun(server, passed.run.id)
    const failing = writeJunit([{ name: 'adds', failure: 'no' }])
    const failed = await uploadReport(server, failing, { alias: 'facts', commit: 'abc123' })
    await completeRun(server, failed.run.id)
    const event = {
      platform: 'java',
      release: 'com.example.facts@1.2+2',
      exception: {
        values: [
          {
            type: 'IllegalStateException',
            mechanism: { handled: false },
            stacktrace: { frames: [{ module: 'com.example.facts.Main', function: 'run', in_app: true }] },
          },
        ],
      },
    }
    for (let sent = 0; sent < 3; sent++) await deliver(server, app, 'sentry-store', JSON.stringify(event))
    await waitUntilRead(server, app.id)
    const facts = await readFacts(app.id, [first.id, third.id, second.id, 999_999])
    const grown = second.size - first.size
    assert.ok(grown > 0)
    const shrunk = third.size - second.size
    assert.deepEqual(facts, [
      { buildId: third.id, verdict: null, crashCount: 0, previousBuildId: second.id, sizeChange: shrunk },
      { buildId: second.id, verdict: 'fail', crashCount: 3, previousBuildId: first.id, sizeChange: grown },
      { buildId: first.id, verdict: 'pass', crashCount: 0, previousBuildId: null, sizeChange: null },
    ])
    // They are the same as those of the page of a build.
    assert.equal((await server.call('GET', `/v1/builds/${second.id}/verdict`)).json.result, 'fail')
  })

  it('leave out builds of other applications, and refuse what is no list of ids', async () => {
    const [one, other] = [await createApplication(server, 'one'), await createApplication(server, 'other')]
    const foreign = await upload('other', 1)
    assert.deepEqual(await readFacts(one.id, [foreign.id]), [])
    assert.equal((await readFacts(other.id, [foreign.id])).length, 1)
    const many = Array.from({ length: 51 }, (_, index) => index + 1).join(',')
    for (const ids of ['', '0', '1,', '1;2', many]) {
      const path = `/v1/applications/${one.id}/buildFacts?ids=${ids}`
      assert.equal((await server.call('GET', path)).status, 400, ids)
    }
    assert.equal((await server.call('GET', `/v1/applications/${one.id}/buildFacts`)).status, 400)
  })

  it('count the builds of each application, and give no number twice', async () => {
    const app = await createApplication(server, 'counted')
    const first = await upload('counted', 1)
    const second = await upload('counted', 2)
    assert.deepEqual([first.number, second.number], [1, 2])
    await server.call('DELETE', `/v1/builds/${second.id}`)
    assert.equal((await upload('counted', 3)).number, 3)
    assert.equal((await upload('facts', 9)).number, 4)
    const list = await server.call('GET', `/v1/applications/${app.id}/builds`)
    assert.deepEqual(
      list.json.map(({ number }: { number: number }) => number),
      [3, 1],
    )
  })
})

describe('a list of builds', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())

  it('is sorted by age, size or installs, page by page, in a search as well', async () => {
    const { id } = await createApplication(server, 'sorted')
    const sizes = [3000, 100, 5000, 100, 4000]
    const builds = []
    for (const [index, bytes] of sizes.entries()) {
      const files = [{ name: 'assets/filler', data: randomBytes(bytes) }]
      builds.push(
        await uploadApk(server, {
          alias: 'sorted',
          apk: { packageName: 'com.example.sorted', versionCode: index + 1, versionName: '1.0', files },
        }),
      )
    }
    const installed = builds[1]
    assert.ok(installed)
    const page = await fetch(installed.installUrl, { headers: { 'User-Agent': 'Android 15' } })
    const link = /href="([^"]*\/binary\/[^"]*)"/.exec(await page.text())?.[1] ?? ''
    await (await fetch(new URL(link, installed.installUrl))).arrayBuffer()
    // Installs are counted soon after the answer.
    for (;;) {
      const { json } = await server.call('GET', `/v1/builds/${installed.id}`)
      if (json.installCount === 1) break
      await sleep(20)
    }
    const walk = async (query: string) => {
      const found: number[] = []
      let path: string | undefined = `/v1/applications/${id}/builds?limit=2&${query}`
      while (path !== undefined) {
        const answer = await server.call('GET', path)
        assert.equal(answer.status, 200, answer.text)
        assert.equal(answer.headers.get('x-total-count'), '5')
        found.push(...answer.json.map(({ number }: { number: number }) => number))
        const next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
        path = next === undefined ? undefined : new URL(next).pathname + new URL(next).search
      }
      const whole = await server.call('GET', `/v1/applications/${id}/builds?${query}`)
      assert.deepEqual(
        whole.json.map(({ number }: { number: number }) => number),
        found,
        query,
      )
      return found
    }
    const bySize = builds
      .toSorted((one, other) => other.size - one.size || other.id - one.id)
      .map(({ number }) => number)
    for (const search of ['', 'q=1.0&']) {
      assert.deepEqual(await walk(`${search}sort=newest`), [5, 4, 3, 2, 1])
      assert.deepEqual(await walk(`${search}sort=oldest`), [1, 2, 3, 4, 5])
      assert.deepEqual(await walk(`${search}sort=largest`), bySize)
      assert.deepEqual(await walk(`${search}sort=installs`), [2, 5, 4, 3, 1])
    }
    const list = `/v1/applications/${id}/builds?limit=2`
    assert.equal((await server.call('GET', `${list}&sort=installs&cursor=999999`)).status, 400)
    assert.equal((await server.call('GET', `${list}&sort=tallest`)).status, 400)
  })
})
