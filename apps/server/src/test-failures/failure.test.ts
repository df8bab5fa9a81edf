import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { TestFailure, TestFailureGroup } from '@fairlead/contract'
import { startServer } from '../testing/start-server.ts'
import { completeRun, uploadReport } from '../testing/test-reports.ts'
import { createApplication, uploadApk } from '../testing/upload.ts'

const trace = [
  'java.lang.IllegalStateException: cart is empty',
  '\tat a.a.b(SourceFile:2)',
  '\tat android.os.Handler.run(Handler.java:1)',
].join('\n')
const mapping = [
  'com.example.shop.Cart -> a.a:',
  '# {"id":"sourceFile","fileName":"Cart.kt"}',
  '    1:2:void checkOut():41:42 -> b',
  '',
].join('\n')
const hello = Buffer.from('<script>alert(1)</script>').toString('base64')

describe('a failure', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())
  const { id: applicationId } = await createApplication(server, 'shop')
  const build = await uploadApk(server, { alias: 'shop' })
  const report =
    '<testsuite name="s"><testcase name="pays" classname="shop.CartTest">' +
    `<failure type="java.lang.IllegalStateException" message="cart is empty">${trace}</failure>` +
    `<system-out>first line [[ATTACHMENT|data:text/html;base64,${hello}]]</system-out></testcase></testsuite>`
  const { run } = await uploadReport(server, report, { buildId: build.id, commit: 'c1', branch: 'main' })
  await completeRun(server, run.id)
  const { json: results } = await server.call('GET', `/v1/testRuns/${run.id}/results`)
  const describeFailure = async () => {
    const answer = await server.call('GET', `/v1/testFailures/${results[0].failureId}`)
    assert.equal(answer.status, 200, answer.text)
    return TestFailure.parse(answer.json)
  }

  it('shows its texts, and its source line as soon as the symbols of the build are uploaded', async () => {
    const before = await describeFailure()
    assert.equal(before.attempts[0]?.failures[0]?.text, trace)
    assert.match(before.outputs[0]?.text ?? '', /first line/)
    assert.equal(before.commit, 'c1')
    assert.equal(before.crashes[0]?.crash.threads[0]?.frames[0]?.function, 'a.a.b')
    const symbols = await server.call('POST', '/v2/symbolsFiles', {
      headers: {
        'X-Service-Application-Alias': 'shop',
        'X-Service-Package': build.bundleIdentifier,
        'X-Service-Version-Name': build.shortVersion,
        'X-Service-Version-Code': build.version,
      },
      body: mapping,
    })
    assert.equal(symbols.status, 201, symbols.text)
    const [frame] = (await describeFailure()).crashes[0]?.crash.threads[0]?.frames ?? []
    assert.deepEqual([frame?.function, frame?.file, frame?.line], ['com.example.shop.Cart.checkOut', 'Cart.kt', 42])
  })

  it('sends its attachments in ranges, and never as a page', async () => {
    const { attachments } = await describeFailure()
    const path = `/v1/testAttachments/${attachments[0]?.id}`
    const whole = await server.call('GET', path)
    assert.equal(whole.text, '<script>alert(1)</script>')
    assert.match(whole.headers.get('content-type') ?? '', /^text\/plain/)
    assert.match(whole.headers.get('content-security-policy') ?? '', /sandbox/)
    const part = await server.call('GET', path, { headers: { Range: 'bytes=1-6' } })
    assert.deepEqual([part.status, part.text], [206, 'script'])
  })

  it('is grouped by the names in the source, which a job resolves when symbols are uploaded', async () => {
    const listGroups = async (): Promise<TestFailureGroup[]> => {
      const { json } = await server.call('GET', `/v1/applications/${applicationId}/failureGroups`)
      return json.map((one: unknown) => TestFailureGroup.parse(one))
    }
    let [group] = await listGroups()
    for (let tries = 0; tries < 400 && group?.frames[0] === 'a.a.b'; tries++) {
      await setTimeout(25)
      ;[group] = await listGroups()
    }
    assert.equal(group?.id, (await describeFailure()).groupId)
    assert.equal(group?.title, 'java.lang.IllegalStateException: cart is empty')
    assert.deepEqual(group?.frames, ['com.example.shop.Cart.checkOut'])
  })

  it('is deleted with its application, and leaves no blob', async () => {
    const kept = await server.listBlobs()
    const other = await createApplication(server, 'other')
    await uploadReport(server, report.replace('pays', 'sells'), { alias: 'other' })
    assert.ok((await server.listBlobs()).length > kept.length)
    assert.equal((await server.call('DELETE', `/v1/applications/${other.id}`)).status, 204)
    assert.deepEqual((await server.listBlobs()).toSorted(), kept.toSorted())
  })
})
