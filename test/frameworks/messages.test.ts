/**
 * What people read of the recorded failures: whole messages, where and when a test ran, and why a file was not
 * read.
 */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { ResultOfTest, TestReport, TestResult } from '@fairlead/contract'
import { writeZip } from '@fairlead/binary/fixture'
import { requireAt } from '@fairlead/invariant'
import { startServer, type TestServer } from '../../apps/server/src/testing/start-server.ts'
import { sendReport } from '../../apps/server/src/testing/test-reports.ts'
import { createApplication } from '../../apps/server/src/testing/upload.ts'
import { runFairlead } from '../cli/fairlead.ts'
import { listFiles, readRecordings } from './history.ts'
import type { RecordedRun } from './recording.ts'

describe('what real test frameworks wrote', () => {
  let server: TestServer
  before(async () => {
    server = await startServer()
  })
  after(() => server[Symbol.asyncDispose]())

  it('by GoogleTest is shown with all lines of its messages', async () => {
    const run = findRun('googletest', 'regressions')
    await createApplication(server, 'googletest')
    const answer = await sendReport(server, writeZip(listFiles(run, 'junit')), { alias: 'googletest' })
    const { id } = TestReport.parse(answer.json).run
    const { json } = await server.call('GET', `/v1/testRuns/${id}/results?outcome=failed`)
    const failed = TestResult.array().parse(json)
    const rounding = failed.find(({ attempts }) => attempts.at(-1)?.message?.includes('TaxOf(10)') === true)
    const message = rounding?.attempts.at(-1)?.message ?? assert.fail('no test rounds the tax')
    const [place = '', head, ...values] = message.split('\n')
    assert.match(place, /^shop_test\.cc:\d+$/)
    assert.equal(head, 'Expected equality of these values:')
    assert.equal(values.length, 4)
    const failure = await server.call('GET', `/v1/testFailures/${rounding?.failureId}`)
    assert.equal(failure.json.message, message)
    const env = { FAIRLEAD_URL: server.url, FAIRLEAD_TOKEN: server.token }
    const { stdout } = await runFairlead(['tests', 'show', String(id)], { env })
    const line = stdout.split('\n').find((one) => one.includes(place)) ?? assert.fail(stdout)
    assert.ok(line.endsWith(message.split(/\s+/).join(' ')), line)
  })

  it('by Playwright is listed with its projects, which run the same tests', async () => {
    const run = findRun('playwright', 'regressions')
    await createApplication(server, 'projects')
    const answer = await sendReport(server, writeZip(listFiles(run, 'junit')), { alias: 'projects' })
    const { id } = TestReport.parse(answer.json).run
    const env = { FAIRLEAD_URL: server.url, FAIRLEAD_TOKEN: server.token }
    const { stdout } = await runFairlead(['tests', 'show', String(id)], { env })
    const rows = stdout.split('\n').flatMap((line) => (line.startsWith('failed\t') ? [line.split('\t')] : []))
    const banks = rows.filter(([, test]) => test === 'attached.spec.js.cart page › opens the bank')
    assert.deepEqual(new Set(banks.map(([, , , environment]) => environment)), new Set(['desktop', 'phone']))
    const { stdout: json } = await runFairlead(['tests', 'show', String(id), '--json'], { env })
    const failures: TestResult[] = TestResult.array().parse(JSON.parse(json).failures)
    assert.deepEqual(
      rows.map(([, , , environment]) => environment),
      failures.map(({ environment }) => environment),
    )
  })

  it('is said in the history of a test with branch, commit and date', async () => {
    const { id: applicationId } = await createApplication(server, 'history')
    const steps = ['main-1', 'regressions'].map((step) => findRun('pytest', step))
    for (const run of steps) {
      const { branch, commit, step } = run
      const options = { alias: 'history', branch, commit, key: step }
      const answer = await sendReport(server, writeZip(listFiles(run, 'junit')), options)
      assert.equal(answer.status, 201, answer.text)
      await server.call('POST', `/v1/testRuns/${answer.json.run.id}/complete`)
    }
    const { json: tests } = await server.call('GET', `/v1/applications/${applicationId}/tests?limit=1`)
    const { json: results } = await server.call('GET', `/v1/tests/${tests[0].id}/results`)
    const { json: runs } = await server.call('GET', `/v1/applications/${applicationId}/testRuns`)
    const rows = ResultOfTest.array().parse(results)
    assert.deepEqual(
      rows.map(({ branch, commit }) => [branch, commit]),
      steps.toReversed().map(({ branch, commit }) => [branch, commit]),
    )
    assert.deepEqual(
      rows.map(({ runId, runDate }) => [runId, runDate]),
      runs.map((run: { id: number; createdDate: string }) => [run.id, run.createdDate]),
    )
  })

  for (const { framework, format, other } of [
    { framework: 'playwright', format: 'junit', other: ['expect(taxOf(10))', 'expect(taxOf(20))'] },
    { framework: 'playwright', format: 'ctrf', other: ['expect(taxOf(10))', 'expect(taxOf(20))'] },
    // Jest shows no source, but a shorter or longer expression ends in another column.
    { framework: 'jest', format: 'junit', other: ['test.js:12:23', 'test.js:14:31'] },
    { framework: 'jest', format: 'ctrf', other: ['test.js:12:23', 'test.js:14:31'] },
  ] as const) {
    it(`by ${framework} as ${format} is known at another line, new for another place in the same words`, async () => {
      const alias = `${framework}-${format}`
      await createApplication(server, alias)
      const files = listFiles(findRun(framework, 'main-1'), format)
      const play = async (branch: string, change: (text: string) => string) => {
        const changed = files.map(({ name, data }) => ({ name, data: Buffer.from(change(data.toString())) }))
        const options = { alias, branch, commit: branch, key: branch }
        const answer = await sendReport(server, writeZip(changed), options)
        const { id } = TestReport.parse(answer.json).run
        await server.call('POST', `/v1/testRuns/${id}/complete`)
        const { json } = await server.call('GET', `/v1/testRuns/${id}/results?outcome=failed`)
        const failed = TestResult.array().parse(json)
        const classes = failed.flatMap(({ name, classification }) => {
          return name.includes('rounds the tax') ? classification : []
        })
        return [...new Set(classes)]
      }
      assert.deepEqual(await play('main', (text) => text), ['new'])
      const moved = await play('moved', (text) =>
        text
          .replace(/(cart\.(?:spec|test)\.js):(\d+)/g, (_, file, line) => `${file}:${Number(line) + 7}`)
          .replace(/(^|\\n| )(> )?(\d+) \|/g, (_, start, mark, line) => `${start}${mark ?? ''}${Number(line) + 7} |`),
      )
      assert.deepEqual(moved, ['known'])
      const [from, to] = other
      assert.ok(files.some(({ data }) => data.toString().includes(from)))
      assert.deepEqual(await play('other', (text) => text.replaceAll(from, to)), ['new'])
    })
  }

  it('by go test -json is refused by its name in an archive, and named beside another report', async () => {
    await createApplication(server, 'go')
    const files = listFiles(findRun('go', 'main-1'), 'go-json')
    const refused = await sendReport(server, writeZip(files), { alias: 'go' })
    assert.deepEqual([refused.status, /gotestsum --junitfile/.test(refused.text)], [422, true], refused.text)
    const others = listFiles(findRun('pytest', 'main-1'), 'junit')
    const taken = await sendReport(server, writeZip([...others, ...files]), { alias: 'go' })
    const { warnings } = TestReport.parse(taken.json)
    const named = warnings.filter(({ code }) => code === 'unsupportedReport')
    assert.deepEqual(
      named.map(({ file }) => file),
      files.map(({ name }) => name),
    )
    assert.match(requireAt(named, 0).detail, /gotestsum --junitfile/)
  })
})

function findRun(framework: string, step: string): RecordedRun {
  const recording = readRecordings().find((one) => one.framework === framework)
  return recording?.runs.find((run) => run.step === step) ?? assert.fail(`${framework} has no recorded ${step}`)
}
