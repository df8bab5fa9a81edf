import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { type Build, type TestResult, Verdict } from '@fairlead/contract'
import { requireAt } from '@fairlead/invariant'
import { openDatabase } from '../db/open.ts'
import { startServer } from '../testing/start-server.ts'
import { completeRun, sendReport } from '../testing/test-reports.ts'
import { createApplication, uploadApk } from '../testing/upload.ts'

/** A failure of a test with an obfuscated frame. */
const toReport = (frame: string, name: string) => {
  const trace = `java.lang.IllegalStateException: cart is empty\n\tat ${frame}(SourceFile:2)`
  const failure = `<failure type="java.lang.IllegalStateException" message="cart is empty">${trace}</failure>`
  return `<testsuite name="unit"><testcase classname="shop.CartTest" name="${name}">${failure}</testcase></testsuite>`
}

/** The mapping of a build in which R8 named `Cart.checkOut` in its own way. */
const toMapping = (obfuscated: string, method: string, name = 'Cart') =>
  [
    `com.example.shop.${name} -> ${obfuscated}:`,
    `# {"id":"sourceFile","fileName":"${name}.kt"}`,
    `    1:2:void checkOut():41:42 -> ${method}`,
    '',
  ].join('\n')

describe('a run whose symbols come late', async () => {
  const server = await startServer()
  const { db } = await openDatabase({ databaseUrl: server.databaseUrl, dataDir: server.dataDir })
  after(async () => {
    await db.destroy()
    await server[Symbol.asyncDispose]()
  })
  await createApplication(server, 'shop')
  const builds: Build[] = []
  for (const versionCode of [1, 2, 3]) {
    builds.push(await uploadApk(server, { alias: 'shop', apk: { versionCode, versionName: `1.${versionCode}` } }))
  }

  const play = async (build: number, branch: string, frame: string, name = 'opens'): Promise<number> => {
    const buildId = builds[build - 1]?.id ?? 0
    const options = { alias: 'shop', branch, commit: `commit of ${build}`, buildId }
    const answer = await sendReport(server, toReport(frame, name), options)
    assert.equal(answer.status, 201, answer.text)
    await completeRun(server, answer.json.run.id)
    return answer.json.run.id
  }
  const judge = async (runId: number) => {
    const verdict = Verdict.parse((await server.call('GET', `/v1/testRuns/${runId}/verdict`)).json)
    const [result]: TestResult[] = (await server.call('GET', `/v1/testRuns/${runId}/results`)).json
    return `${verdict.result} ${result?.classification}`
  }
  const upload = async (build: number, mapping: string) => {
    const { bundleIdentifier, shortVersion, version } = requireAt(builds, build - 1)
    const headers = {
      'X-Service-Application-Alias': 'shop',
      'X-Service-Package': bundleIdentifier,
      'X-Service-Version-Name': shortVersion,
      'X-Service-Version-Code': version,
    }
    const answer = await server.call('POST', '/v2/symbolsFiles', { headers, body: mapping })
    assert.equal(answer.status, 201, answer.text)
  }
  const getFrames = async (runId: number) => {
    const groups: { frames: string[] }[] = (await server.call('GET', `/v1/testRuns/${runId}/failureGroups`)).json
    return groups.map(({ frames }) => frames[0])
  }
  /** Whether a run waits for its second judgement, which nothing but the database shows. */
  const hasMoved = async () =>
    (await db.selectFrom('test_runs').select('id').where('has_moved', '>', 0).execute()).length > 0
  const waitUntil = async (what: string, isTrue: () => Promise<boolean>) => {
    for (let tries = 0; tries < 400; tries++) {
      if (await isTrue()) return
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
    throw new Error(`${what}: that did not become true`)
  }

  it('is judged again by the groups of its source names, and keeps its base', async () => {
    const base = await play(1, 'main', 'a.a.b')
    const renamed = await play(2, 'topic', 'c.c.d')
    const unresolved = await play(3, 'topic', 'a.a.b')
    assert.deepEqual(await Promise.all([base, renamed, unresolved].map(judge)), ['fail new', 'fail new', 'pass known'])
    await upload(1, toMapping('a.a', 'b'))
    await waitUntil(
      'the base has source names',
      async () => (await getFrames(base))[0] === 'com.example.shop.Cart.checkOut',
    )
    assert.equal(await judge(renamed), 'fail new')
    await upload(2, toMapping('c.c', 'd'))
    await waitUntil('the failure is known', async () => (await judge(renamed)) === 'pass known')
    assert.deepEqual(await getFrames(renamed), ['com.example.shop.Cart.checkOut'])
    // Its symbols never came, and its failure is what the base had when both had none.
    assert.deepEqual([await getFrames(unresolved), await judge(unresolved)], [['a.a.b'], 'pass known'])
    assert.equal(await judge(base), 'fail new')
    const verdict = Verdict.parse((await server.call('GET', `/v1/testRuns/${renamed}/verdict`)).json)
    assert.deepEqual(verdict.base, { runId: base, commit: 'commit of 1' })
  })

  it('becomes known when only the symbols of its base come late', async () => {
    const base = await play(3, 'main', 'e.e.f', 'sorts')
    const run = await play(2, 'topic', 'c.c.d', 'sorts')
    assert.deepEqual(await Promise.all([base, run].map(judge)), ['fail new', 'fail new'])
    await upload(3, toMapping('e.e', 'f'))
    await waitUntil('the failure is known', async () => (await judge(run)) === 'pass known')
  })

  it('stays excused by a quarantine of its time, and is not by one that began later', async () => {
    const base = await play(3, 'elsewhere', 'g.g.h')
    const [result]: TestResult[] = (await server.call('GET', `/v1/testRuns/${base}/results`)).json
    const [{ id: applicationId }] = (await server.call('GET', '/v1/applications')).json
    const path = `/v1/applications/${applicationId}/quarantine`
    const quarantine = await server.call('POST', path, { json: { testId: result?.testId, reason: 'late' } })
    assert.equal(quarantine.status, 201, quarantine.text)
    assert.equal(await judge(base), 'fail new')
    const excused = await play(3, 'elsewhere', 'g.g.h')
    assert.equal(await judge(excused), 'pass quarantined')
    assert.equal((await server.call('DELETE', `${path}/${quarantine.json.id}`)).status, 204)
    await upload(3, toMapping('e.e', 'f') + toMapping('g.g', 'h', 'Menu'))
    await waitUntil('both have source names', async () =>
      (await Promise.all([base, excused].map(getFrames)))
        .flat()
        .every((frame) => frame === 'com.example.shop.Menu.checkOut'),
    )
    await waitUntil('nothing is left to judge', async () => !(await hasMoved()))
    assert.deepEqual(await Promise.all([base, excused].map(judge)), ['fail new', 'pass quarantined'])
  })
})
