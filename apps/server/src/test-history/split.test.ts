import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { TestDuration, TestSplit } from '@fairlead/contract'
import { startServer } from '../testing/start-server.ts'
import { completeRun, uploadReport, writeJunit } from '../testing/test-reports.ts'
import { createApplication } from '../testing/upload.ts'

describe('the durations of tests', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())
  const { id } = await createApplication(server, 'shop')
  const path = `/v1/applications/${id}`
  const run = async (seconds: Record<string, number[]>) => {
    const cases = Object.entries(seconds).flatMap(([name, times]) =>
      times.map((time, at) => ({ class: name, name: `t${at}`, seconds: time })),
    )
    await completeRun(server, (await uploadReport(server, writeJunit(cases))).run.id)
  }
  const list = async () => {
    const { json } = await server.call('GET', `${path}/testDurations`)
    return TestDuration.array()
      .parse(json)
      .map((one) => [one.class, Math.round(one.durationMs)])
  }

  it('are sums by class, of which the median of the last runs counts', async () => {
    assert.deepEqual(await list(), [])
    await run({ 'a.A': [1, 2], 'a.B': [0.5] })
    await run({ 'a.A': [1, 3], 'a.B': [40] })
    await run({ 'a.A': [1, 9], 'a.B': [0.7], 'a.C': [7] })
    assert.deepEqual(await list(), [
      ['a.C', 7000],
      ['a.A', 4000],
      ['a.B', 700],
    ])
  })

  it('stay the same for all shards of a run, whatever completes in between', async () => {
    const ask = async (key: string) => {
      const answer = await server.call('POST', `${path}/testSplits`, { json: { key } })
      assert.equal(answer.status, 200, answer.text)
      return TestSplit.parse(answer.json)
    }
    const [first, same] = await Promise.all([ask('ci-1'), ask('ci-1')])
    await run({ 'a.D': [30] })
    assert.deepEqual(same, first)
    assert.deepEqual(await ask('ci-1'), first)
    assert.equal(first.durations[0]?.class, 'a.C')
    assert.equal((await ask('ci-2')).durations[0]?.class, 'a.D')
  })

  it('need a key of a usual length for a split', async () => {
    for (const json of [{}, { key: '' }, { key: 'x'.repeat(201) }, { key: 7 }]) {
      assert.equal((await server.call('POST', `${path}/testSplits`, { json })).status, 400)
    }
    assert.equal((await server.call('GET', '/v1/applications/999/testDurations')).status, 404)
  })
})
