import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { TestFailure, TestFailureGroup, Verdict } from '@fairlead/contract'
import { writeSampleArchive } from '@fairlead/symbols/fixture'
import { connectedMapping, writeConnectedTests, writeUiTests } from '../testing/crashed-tests.ts'
import { startServer } from '../testing/start-server.ts'
import { completeRun, sendReport } from '../testing/test-reports.ts'
import { createApplication, uploadApk } from '../testing/upload.ts'

describe('a test whose app crashed', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())
  const android = await createApplication(server, 'shop')
  const ios = await createApplication(server, 'shop-ios', 'ios')
  const build = await uploadApk(server, { alias: 'shop' })

  const send = async (alias: string, archive: Buffer, buildId?: number) => {
    const options = { alias, branch: 'main', commit: 'c1', ...(buildId !== undefined && { buildId }) }
    const answer = await sendReport(server, new Uint8Array(archive), options)
    assert.equal(answer.status, 201, answer.text)
    const runId: number = answer.json.run.id
    await completeRun(server, runId)
    return runId
  }
  const getFailure = async (runId: number) => {
    const { json } = await server.call('GET', `/v1/testRuns/${runId}/results?outcome=failed`)
    return TestFailure.parse((await server.call('GET', `/v1/testFailures/${json[0].failureId}`)).json)
  }
  const getVerdict = async (runId: number) =>
    Verdict.parse((await server.call('GET', `/v1/testRuns/${runId}/verdict`)).json)
  const listGroups = async (applicationId: number): Promise<TestFailureGroup[]> => {
    const { json } = await server.call('GET', `/v1/applications/${applicationId}/failureGroups`)
    return json.map((one: unknown) => TestFailureGroup.parse(one))
  }
  const upload = async (alias: string, body: string | Uint8Array<ArrayBuffer>) => {
    const headers = {
      'X-Service-Application-Alias': alias,
      'X-Service-Package': build.bundleIdentifier,
      'X-Service-Version-Name': build.shortVersion,
      'X-Service-Version-Code': build.version,
    }
    const answer = await server.call('POST', '/v2/symbolsFiles', { headers, body })
    assert.equal(answer.status, 201, answer.text)
  }
  /** A job reads the failures again after the upload of symbols. */
  const waitForFrame = async (applicationId: number, frame: string): Promise<TestFailureGroup[]> => {
    for (let tries = 0; tries < 400; tries++) {
      const groups = await listGroups(applicationId)
      if (groups.length > 0 && groups.every(({ frames }) => frames[0] === frame)) return groups
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
    throw new Error(`no group at ${frame}: ${JSON.stringify(await listGroups(applicationId))}`)
  }

  it('is grouped by its Kotlin line once the mapping is uploaded, and earlier groups disappear', async () => {
    const first = await send('shop', writeConnectedTests(), build.id)
    assert.deepEqual(
      (await getVerdict(first)).crashes.map(({ title }) => title),
      ['java.lang.IllegalStateException in a.a.b (SourceFile:2)'],
    )
    assert.deepEqual((await listGroups(android.id))[0]?.frames, ['a.a.b'])
    await upload('shop', connectedMapping)
    const [group] = await waitForFrame(android.id, 'com.example.shop.Cart.checkOut')
    assert.equal(group?.title, 'java.lang.IllegalStateException: cart is empty')
    assert.equal(group?.firstRunId, first)
    const failure = await getFailure(first)
    assert.equal(failure.groupId, group?.id)
    assert.equal(failure.crashes[0]?.source, 'logcat')
    const [frame] = failure.crashes[0]?.crash.threads[0]?.frames ?? []
    assert.deepEqual([frame?.function, frame?.file, frame?.line], ['com.example.shop.Cart.checkOut', 'Cart.kt', 42])
    assert.deepEqual(
      (await getVerdict(first)).crashes.map(({ title }) => title),
      ['java.lang.IllegalStateException in com.example.shop.Cart.checkOut (Cart.kt:42)'],
    )
    const second = await send('shop', writeConnectedTests(), build.id)
    assert.equal((await getFailure(second)).groupId, group?.id)
  })

  it('is grouped by its C++ line in .ips and .crash reports alike', async () => {
    const early = await send('shop-ios', writeUiTests('ips'))
    assert.equal((await getVerdict(early)).crashes.length, 1)
    assert.equal((await getFailure(early)).crashes[0]?.crash.missingSymbols[0]?.name, 'Shop')
    await upload('shop-ios', new Uint8Array(writeSampleArchive()))
    await waitForFrame(ios.id, 'round')
    const late = await send('shop-ios', writeUiTests('crash'))
    assert.equal((await listGroups(ios.id)).length, 1)
    for (const runId of [early, late]) {
      const failure = await getFailure(runId)
      const [crash] = failure.crashes
      const thread = crash?.crash.threads.find(({ crashed }) => crashed)
      assert.equal(`${thread?.frames[0]?.file}:${thread?.frames[0]?.line}`, 'money.h:40')
      assert.ok(thread?.frames.some(({ file, line }) => file === 'cart.cpp' && line === 12))
      assert.deepEqual(
        (await getVerdict(runId)).crashes.map(({ title }) => title),
        ['EXC_BAD_ACCESS (SIGSEGV) in round (money.h:40)'],
      )
    }
  })
})
