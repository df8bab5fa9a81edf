import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { writeZip } from '@fairlead/binary/fixture'
import { TestReport, TestResult, type TestRun } from '@fairlead/contract'
import { startServer } from '../testing/start-server.ts'
import { completeRun, sendReport, uploadReport, writeJunit } from '../testing/test-reports.ts'
import { createApplication } from '../testing/upload.ts'

describe('an upload of test reports', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())
  const { id: applicationId } = await createApplication(server, 'shop')
  const countRuns = async () => (await server.call('GET', `/v1/applications/${applicationId}/testRuns`)).json.length
  const listResults = async (runId: number, query = '') => {
    const { json, text } = await server.call('GET', `/v1/testRuns/${runId}/results${query}`)
    assert.ok(Array.isArray(json), text)
    return json.map((one: unknown) => TestResult.parse(one))
  }

  it('answers with the counts of the report and its run', async () => {
    const report = TestReport.parse(
      await uploadReport(
        server,
        [
          { name: 'adds' },
          { name: 'removes', failure: 'expected 3' },
          { name: 'retries', flaky: ['late'] },
          { name: 'waits', skipped: true },
        ],
        { branch: 'main', commit: 'c1', key: 'first' },
      ),
    )
    assert.deepEqual(report.counts, { cases: 4, passed: 2, failed: 1, skipped: 1, flaky: 1, attempts: 5 })
    assert.deepEqual(report.run.counts, report.counts)
    assert.equal(report.run.state, 'open')
    const results = await listResults(report.run.id)
    assert.deepEqual(
      results.map(({ name, outcome, isFlaky, durationMs }) => [name, outcome, isFlaky, durationMs]),
      [
        ['adds', 'passed', false, 100],
        ['removes', 'failed', false, 100],
        ['retries', 'passed', true, 100],
        ['waits', 'skipped', false, 100],
      ],
    )
    assert.deepEqual(
      results[2]?.attempts.map(({ outcome, message }) => [outcome, message]),
      [
        ['failed', 'late'],
        ['passed', null],
      ],
    )
    assert.equal((await listResults(report.run.id, '?outcome=failed')).length, 1)
  })

  it('changes nothing when it repeats the same bytes', async () => {
    const first = await uploadReport(server, [{ name: 'adds' }], { key: 'twice', shard: '1/2' })
    const again = await uploadReport(server, [{ name: 'adds' }], { key: 'twice', shard: '1/2' })
    assert.equal(again.duplicate, true)
    assert.equal(again.id, first.id)
    assert.deepEqual(again.run, first.run)
    const other = await uploadReport(server, [{ name: 'adds' }], { key: 'twice', shard: '2/2' })
    assert.equal(other.duplicate, false)
    assert.equal(other.run.state, 'complete')
    assert.equal(other.run.counts.cases, 2)
  })

  it('names the header that is missing or malformed before it reads the body', async () => {
    const faults = {
      'X-Service-Run-Attempt': '0',
      'X-Service-Shard': '5/4',
      'X-Service-Run-Key': 'x'.repeat(201),
      'X-Service-Build-Id': 'x',
      'X-Service-Skip-Broken': 'yes',
      'X-Service-Suite': 's'.repeat(201),
      'X-Service-Application-Alias': '',
    }
    for (const [name, value] of Object.entries(faults)) {
      const answer = await sendReport(server, writeJunit([]), { headers: { [name]: value } })
      assert.equal(answer.status, 400, `${name}: ${answer.text}`)
      assert.equal(answer.json.errors[0].source, name)
    }
    const unknown = await sendReport(server, writeJunit([]), { buildId: 999_999 })
    assert.equal(unknown.status, 422)
    assert.equal((await sendReport(server, 'x', { alias: 'nothing' })).status, 404)
  })

  it('leaves no run and no blob when it is refused', async () => {
    const [runs, blobs] = [await countRuns(), (await server.listBlobs()).length]
    for (const body of ['', 'no report', '<testsuite>\n<testcase name="a"', '{"stats":{}}']) {
      const answer = await sendReport(server, body, { key: 'refused' })
      assert.equal(answer.status, 422, answer.text)
      assert.equal(answer.json.errors[0].source, '')
      assert.equal(typeof answer.json.errors[0].detail, 'string')
    }
    assert.equal(await countRuns(), runs)
    assert.equal((await server.listBlobs()).length, blobs)
  })

  // The second is larger than what is held in memory until one transaction shows it.
  for (const { count, failure } of [{ count: 5000 }, { count: 3300, failure: 'x'.repeat(4096) }]) {
    const size = failure === undefined ? 'large' : 'very large'
    it(`shows a ${size} report only as a whole`, async () => {
      const cases = Array.from({ length: count }, (_, index) => ({
        name: `t${String(index).padStart(4, '0')}`,
        ...(failure !== undefined && { failure }),
      }))
      const stored = new AbortController()
      const watch = async () => {
        const seen = new Set<string>()
        while (!stored.signal.aborted) {
          const { json } = await server.call('GET', `/v1/applications/${applicationId}/testRuns?key=${count}`)
          for (const { id } of json) {
            const { headers } = await server.call('GET', `/v1/testRuns/${id}/results?limit=1`)
            seen.add(headers.get('x-total-count') ?? '')
          }
        }
        return seen
      }
      const watching = watch()
      const report = await uploadReport(server, cases, { key: String(count) })
      stored.abort()
      const seen = await watching
      assert.deepEqual(
        [...seen].filter((one) => one !== String(count)),
        [],
      )
      assert.equal(report.run.counts.cases, count)
      const page = await server.call('GET', `/v1/testRuns/${report.run.id}/results?limit=100`)
      assert.equal(page.headers.get('x-total-count'), String(count))
      assert.equal(page.json[99].name, 't0099')
      const next = /<([^>]+)>/.exec(page.headers.get('link') ?? '')?.[1] ?? ''
      const second = await server.call('GET', new URL(next).pathname + new URL(next).search)
      assert.equal(second.json[0].name, 't0100')
    })
  }

  it('adds shards in any order to one run, which the last shard completes', async () => {
    const shards = [1, 2, 3].map((index) => writeJunit([{ name: 'same' }, { name: `own ${index}` }]))
    const seen: unknown[] = []
    for (const order of [
      [1, 2, 3],
      [3, 1, 2],
      [2, 3, 1],
    ]) {
      const key = `order ${order.join()}`
      let run: TestRun | undefined
      for (const index of order) {
        ;({ run } = await uploadReport(server, shards[index - 1] ?? '', { key, shard: `${index}/3` }))
      }
      assert.equal(run?.state, 'complete')
      assert.deepEqual(run?.shards, { expected: 3, received: [1, 2, 3] })
      const results = await listResults(run?.id ?? 0)
      seen.push(results.map(({ name, case: number }) => `${name} ${number}`))
    }
    assert.deepEqual(seen[0], ['own 1 1', 'own 2 1', 'own 3 1', 'same 1', 'same 2', 'same 3'])
    assert.deepEqual(seen[1], seen[0])
    assert.deepEqual(seen[2], seen[0])
  })

  it('takes a large report once, however many times it comes at once and later', async () => {
    const cases = Array.from({ length: 1_300 }, (_, index) => ({ name: `test ${index}` }))
    const upload = () => uploadReport(server, cases, { key: 'large and twice' })
    const reports = [...(await Promise.all([upload(), upload(), upload()])), await upload()]
    assert.equal(reports.filter(({ duplicate }) => duplicate).length, 3)
    assert.equal(new Set(reports.map(({ id }) => id)).size, 1)
    assert.equal(reports.at(-1)?.run.counts.cases, 1_300)
  })

  it('adds concurrent shards to one run, which is complete', async () => {
    const cases = (index: number) => [{ name: 'same' }, { name: `own ${index}`, failure: `fails ${index}` }]
    const numbers = [1, 2, 3, 4, 5, 6]
    const upload = (index: number) => uploadReport(server, cases(index), { key: 'at once', shard: `${index}/6` })
    const reports = await Promise.all([...numbers, 3].map(upload))
    assert.equal(new Set(reports.map(({ run }) => run.id)).size, 1)
    assert.equal(reports.filter(({ duplicate }) => duplicate).length, 1)
    const { json } = await server.call('GET', `/v1/testRuns/${reports[0]?.run.id}`)
    assert.deepEqual([json.state, json.counts.cases, json.counts.failed], ['complete', 12, 6])
    assert.deepEqual(json.shards, { expected: 6, received: numbers })
    const verdict = await server.call('GET', `/v1/testRuns/${json.id}/verdict`)
    assert.equal(verdict.json.counts.new, 6)
  })

  it('leaves broken files out when the client asks for it, and then the run is incomplete', async () => {
    const archive = new Uint8Array(
      writeZip([
        { name: 'good.xml', data: Buffer.from(writeJunit([{ name: 'a' }])) },
        { name: 'bad.xml', data: Buffer.from('<testsuite><testcase name="b"') },
      ]),
    )
    const refused = await sendReport(server, archive)
    assert.equal(refused.status, 422)
    assert.equal(refused.json.errors[0].source, 'bad.xml')
    const taken = await sendReport(server, archive, { headers: { 'X-Service-Skip-Broken': 'true' } })
    assert.equal(taken.status, 201, taken.text)
    assert.equal(taken.json.run.isIncomplete, true)
    assert.deepEqual(
      taken.json.warnings.map(({ code }: { code: string }) => code),
      ['brokenFile'],
    )
  })

  it('replaces cases that a later attempt ran again, whichever attempt arrives first', async () => {
    const first = writeJunit([{ name: 'a' }, { name: 'b', failure: 'x' }])
    const second = writeJunit([{ name: 'b' }])
    for (const order of [
      [first, second],
      [second, first],
    ]) {
      const key = `attempts ${order.indexOf(first)}`
      let run: TestRun | undefined
      for (const body of order) {
        ;({ run } = await uploadReport(server, body, { key, attempt: body === first ? 1 : 2 }))
      }
      assert.equal(run?.attempt, 2)
      assert.deepEqual(run?.counts, { cases: 2, passed: 2, failed: 0, skipped: 0, flaky: 0, attempts: 2 })
    }
  })

  it('counts repeated rows as retries only if the test was green with fewer rows', async () => {
    const repeated = writeJunit([{ name: 'repeats', failure: 'once' }, { name: 'repeats' }])
    const fresh = await uploadReport(server, repeated, { key: 'repeated 1' })
    assert.deepEqual([fresh.run.counts.cases, fresh.run.counts.failed], [2, 1])
    await completeRun(server, fresh.run.id)
    const green = await uploadReport(server, [{ name: 'repeats' }], { key: 'repeated 2' })
    await completeRun(server, green.run.id)
    const retried = await uploadReport(server, repeated, { key: 'repeated 3' })
    assert.deepEqual(retried.run.counts, { cases: 1, passed: 1, failed: 0, skipped: 0, flaky: 1, attempts: 2 })
    const [result] = await listResults(retried.run.id)
    assert.deepEqual(
      result?.attempts.map(({ outcome }) => outcome),
      ['failed', 'passed'],
    )
  })

  it('joins the rows of a test that reports have more than a thousand times', async () => {
    const repeat = (name: string, count: number, failure?: string) =>
      Array.from({ length: count }, () => ({ name, ...(failure !== undefined && { failure }) }))
    const single = Array.from({ length: 1100 }, (_, index) => ({ name: `single ${index}` }))
    const many = repeat('many', 1500)
    const failing = [...single, ...repeat('many', 1400), ...repeat('many', 100, 'broken'), ...repeat('some', 900)]
    const green = await uploadReport(server, [...failing.slice(0, 2500), ...many.slice(0, 100)], { key: 'many 1' })
    assert.equal(green.run.counts.passed, 2600)
    await completeRun(server, green.run.id)

    // Each failed row, of which there are more than the test had cases, was tried again.
    const retried = await uploadReport(server, [...repeat('many', 100, 'once'), ...many], { key: 'many 2' })
    assert.deepEqual(retried.run.counts, { cases: 1500, passed: 1500, failed: 0, skipped: 0, flaky: 1, attempts: 1600 })

    const first = await uploadReport(server, failing, { key: 'many 3', shard: '1/2' })
    assert.deepEqual([first.run.counts.cases, first.run.counts.failed], [3500, 100])
    const second = await uploadReport(server, [...many, ...single], { key: 'many 3', shard: '2/2' })
    assert.deepEqual(second.run.counts, { cases: 6000, passed: 6000, failed: 0, skipped: 0, flaky: 1, attempts: 6100 })
    const again = await uploadReport(server, many, { key: 'many 3', attempt: 2, shard: '1/2' })
    assert.deepEqual(again.run.counts, { cases: 6100, passed: 6100, failed: 0, skipped: 0, flaky: 0, attempts: 6100 })
  })
})
