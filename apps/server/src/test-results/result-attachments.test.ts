import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { AttachmentOfResult, TestFailure, type TestResult } from '@fairlead/contract'
import { startServer } from '../testing/start-server.ts'
import { completeRun, uploadReport } from '../testing/test-reports.ts'
import { createApplication } from '../testing/upload.ts'

const attach = (name: string) => ({
  name,
  contentType: 'text/plain',
  path: `data:text/plain;base64,${Buffer.from(name).toString('base64')}`,
})
const failed = { status: 'failed', duration: 2, message: 'no' }
const ctrf = (...tests: object[]) => JSON.stringify({ results: { tool: { name: 'x' }, tests } })

describe('the attachments of a case', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())
  await createApplication(server, 'shop')
  const listResults = async (runId: number): Promise<TestResult[]> =>
    (await server.call('GET', `/v1/testRuns/${runId}/results`)).json
  const listAttachments = async (runId: number, testId: number): Promise<AttachmentOfResult[]> => {
    const { json } = await server.call('GET', `/v1/testRuns/${runId}/results/${testId}/attachments`)
    return json.map((one: unknown) => AttachmentOfResult.parse(one))
  }

  it('belong to its attempts, and can be read of passed cases as well', async () => {
    const report = ctrf(
      {
        name: 'at last',
        status: 'passed',
        duration: 5,
        retries: 1,
        retryAttempts: [{ ...failed, attachments: [attach('first')] }],
        attachments: [attach('second')],
      },
      { name: 'bad', ...failed, attachments: [attach('shot')] },
      { name: 'good', status: 'passed', duration: 5, attachments: [attach('calm')] },
      { name: 'plain', status: 'passed', duration: 5 },
    )
    const { run } = await uploadReport(server, report, { key: 'attempts' })
    const results = await listResults(run.id)
    assert.deepEqual(
      results.map(({ name, attachmentCount }) => [name, attachmentCount]),
      [
        ['at last', 2],
        ['bad', 1],
        ['good', 1],
        ['plain', 0],
      ],
    )
    const [flaky, bad, good, plain] = await Promise.all(results.map(({ testId }) => listAttachments(run.id, testId)))
    assert.deepEqual(
      flaky?.map(({ name, attempt, case: number }) => [name, attempt, number]),
      [
        ['first', 1, 1],
        ['second', 2, 1],
      ],
    )
    assert.deepEqual([good?.length, plain?.length], [1, 0])
    const bytes = await server.call('GET', `/v1/testAttachments/${good?.[0]?.id}`)
    assert.equal(bytes.text, 'calm')
    const failure = TestFailure.parse((await server.call('GET', `/v1/testFailures/${results[1]?.failureId}`)).json)
    assert.deepEqual(
      failure.attachments.map(({ id, attempt }) => [id, attempt]),
      [[bad?.[0]?.id, 1]],
    )
  })

  it('have names without line breaks and direction overrides, also in the header of a download', async () => {
    const names = ['one\r\nX-Evil: 1', 'gpj.\u202Eexe']
    const files = names.map((name) => ({ ...attach('text'), name, contentType: 'application/octet-stream' }))
    const report = ctrf({ name: 'hostile', status: 'passed', duration: 5, attachments: files })
    const { run } = await uploadReport(server, report, { key: 'hostile names' })
    const [result] = await listResults(run.id)
    const attachments = await listAttachments(run.id, Number(result?.testId))
    assert.equal(attachments.length, 2)
    for (const { id, name } of attachments) {
      assert.doesNotMatch(name, /\p{Cc}|\p{Bidi_Control}/u)
      const { headers } = await server.call('GET', `/v1/testAttachments/${id}`)
      assert.equal(headers.get('x-evil'), null)
      assert.doesNotMatch(decodeURIComponent(headers.get('content-disposition') ?? ''), /\p{Cc}|\p{Bidi_Control}/u)
    }
  })

  it('are counted on over the rows of a case, which its history shows to be retries', async () => {
    const once = await uploadReport(server, ctrf({ name: 'again', status: 'passed', duration: 1 }), { key: 'once' })
    await completeRun(server, once.run.id)
    const repeated = ctrf(
      { name: 'again', ...failed, attachments: [attach('before')] },
      { name: 'again', status: 'passed', duration: 1, attachments: [attach('after')] },
    )
    const { run } = await uploadReport(server, repeated, { key: 'repeated' })
    const [result] = await listResults(run.id)
    assert.deepEqual([result?.attachmentCount, result?.attempts.length], [2, 2])
    const attachments = await listAttachments(run.id, result?.testId ?? 0)
    assert.deepEqual(
      attachments.map(({ name, attempt, case: number }) => [name, attempt, number]),
      [
        ['before', 1, 1],
        ['after', 2, 1],
      ],
    )
  })

  it('say no attempt if the report does not', async () => {
    const marker = '[[ATTACHMENT|data:text/plain;base64,SGk=]]'
    const inner = `<flakyFailure message="no"/><system-out>${marker}</system-out>`
    const junit = `<testsuite name="s"><testcase name="a" classname="A">${inner}</testcase></testsuite>`
    const { run } = await uploadReport(server, junit, { key: 'unsaid' })
    const [result] = await listResults(run.id)
    const [attachment] = await listAttachments(run.id, result?.testId ?? 0)
    assert.equal(attachment?.attempt, null)
    assert.equal((await server.call('GET', '/v1/testRuns/999999/results/1/attachments')).status, 404)
  })
})
