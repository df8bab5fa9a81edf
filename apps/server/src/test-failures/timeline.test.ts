import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { TestTimeline } from '@fairlead/contract'
import { startServer } from '../testing/start-server.ts'
import { completeRun, uploadReport } from '../testing/test-reports.ts'
import { createApplication } from '../testing/upload.ts'

const webm = Buffer.from('1a45dfa3', 'hex').toString('base64')
const attach = (name: string, log: string) => ({
  name,
  contentType: 'text/plain',
  path: `data:text/plain;base64,${Buffer.from(log).toString('base64')}`,
})
const video = (name: string) => ({ name, contentType: 'video/webm', path: `data:video/webm;base64,${webm}` })

describe('the timeline of a failure', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())
  await createApplication(server, 'shop')

  async function readTimeline(test: object): Promise<TestTimeline> {
    const report = JSON.stringify({ results: { tool: { name: 'runner' }, tests: [test] } })
    const { run } = await uploadReport(server, report, {})
    await completeRun(server, run.id)
    const { json: results } = await server.call('GET', `/v1/testRuns/${run.id}/results`)
    const answer = await server.call('GET', `/v1/testFailures/${results[0].failureId}/timeline`)
    assert.equal(answer.status, 200, answer.text)
    return TestTimeline.parse(answer.json)
  }

  it('gives each attempt its own video, clock and entries', async () => {
    const failed = { status: 'failed', duration: 2000, message: 'late' }
    const timeline = await readTimeline({
      name: 'pays',
      ...failed,
      retries: 1,
      retryAttempts: [
        {
          ...failed,
          attempt: 1,
          attachments: [
            attach('one.log', '2026-11-22T04:00:00.000Z opens\n2026-11-22T04:00:00.500Z fails to pay'),
            attach('logcat.txt', '11-22 03:59:00.000  12  12 I Cart  : starts'),
            video('one.webm'),
          ],
        },
      ],
      attachments: [attach('two.log', '2026-11-22T04:05:00.000Z opens again'), video('two.webm')],
    })
    assert.deepEqual(
      timeline.entries.map(({ attempt, atMs, source, text }) => [attempt, atMs, source, text.trim()]),
      [
        [1, 0, 'one.log', 'opens'],
        [1, 0, 'logcat.txt', 'Cart  : starts'],
        [1, 500, 'one.log', 'fails to pay'],
        [2, 0, 'two.log', 'opens again'],
      ],
    )
    assert.deepEqual(timeline.attempts, [
      { attempt: 1, startDate: '2026-11-22T04:00:00.000Z' },
      { attempt: 2, startDate: '2026-11-22T04:05:00.000Z' },
    ])
    assert.equal(timeline.startDate, '2026-11-22T04:00:00.000Z')
    assert.deepEqual(
      timeline.videos.map(({ attempt, name }) => [attempt, name]),
      [
        [1, 'one.webm'],
        [2, 'two.webm'],
      ],
    )
    assert.equal(timeline.isCut, false)
  })

  it('leaves room for the entries of every attempt', async () => {
    const long = Array.from({ length: 9000 }, (_, index) => `2026-11-22T04:00:00.000Z line ${index}`).join('\n')
    const failed = { status: 'failed', duration: 2000, message: 'late' }
    const timeline = await readTimeline({
      name: 'pays',
      ...failed,
      retries: 1,
      retryAttempts: [{ ...failed, attempt: 1, attachments: [attach('a.log', long), attach('b.log', long)] }],
      attachments: [attach('two.log', '2026-11-22T04:05:00.000Z opens again')],
    })
    assert.equal(timeline.isCut, true)
    assert.equal(timeline.entries.filter(({ attempt }) => attempt === 1).length, 5000)
    assert.equal(timeline.entries.at(-1)?.text, 'opens again')
  })
})
