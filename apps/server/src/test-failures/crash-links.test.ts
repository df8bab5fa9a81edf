import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { createCrashApplication, deliver, waitUntilRead } from '../testing/crashes.ts'
import { startServer } from '../testing/start-server.ts'
import { completeRun, uploadReport } from '../testing/test-reports.ts'

describe('failures of tests and crashes', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())

  it('lead to each other when they have the same exception and the same frame of the app', async () => {
    const app = await createCrashApplication(server, 'shop')
    const toTrace = (method: string) =>
      `java.lang.IllegalStateException: no cart 7\n\tat java.util.Objects.requireNonNull(Objects.java:1)\n` +
      `\tat org.tarn.shop.Cart.${method}(Cart.kt:9)\n\tat org.tarn.shop.Till.open(Till.kt:3)\n`
    const toCase = (name: string, method: string) =>
      `<testcase name="${name}" classname="shop.CartTest"><failure message="no cart 7" ` +
      `type="java.lang.IllegalStateException">${toTrace(method)}\tat org.junit.Run.run(Run.java:1)</failure></testcase>`
    for (const method of ['pay', 'refund']) await deliver(server, app, 'raw', toTrace(method))
    await waitUntilRead(server, app.id)
    const cases = toCase('pays', 'pay') + toCase('ships', 'ship')
    for (const commit of ['a1', 'b2']) {
      const { run } = await uploadReport(server, `<testsuite name="unit">${cases}</testsuite>`, { commit })
      await completeRun(server, run.id)
    }

    const { json: groups } = await server.call('GET', `/v1/applications/${app.id}/crashGroups`)
    const found = new Map<string, { failureId: number; testName: string }[]>()
    for (const { id, culprit } of groups) {
      const answer = await server.call('GET', `/v1/crashGroups/${id}/testFailures`)
      assert.equal(answer.status, 200, answer.text)
      found.set(culprit, answer.json)
    }
    assert.deepEqual(found.get('org.tarn.shop.Cart.refund'), [])
    const [failure, ...others] = found.get('org.tarn.shop.Cart.pay') ?? []
    assert.deepEqual(others, [], 'a test is listed once, by its newest failure')
    assert.equal(failure?.testName, 'pays')
    const back = await server.call('GET', `/v1/testFailures/${failure?.failureId}/crashGroups`)
    assert.deepEqual(
      back.json.map(({ culprit }: { culprit: string }) => culprit),
      ['org.tarn.shop.Cart.pay'],
    )
    assert.equal((await server.call('GET', '/v1/testFailures/999999/crashGroups')).status, 404)
  })
})
