/** A history of 200 runs, generated from a seed, with planted causes that the judgement has to find exactly. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { Test, TestResult, TestRun } from '@fairlead/contract'
import { startServer } from '../testing/start-server.ts'
import { uploadReport, writeJunit, type WrittenCase } from '../testing/test-reports.ts'
import { createApplication } from '../testing/upload.ts'

/**
 * On PostgreSQL the history is half as long, with the same causes at half the distances: what is judged does not depend
 * on the database, and each run takes there several times as long.
 */
const scale = process.env.FAIRLEAD_TEST_DATABASE_URL === undefined ? 1 : 0.5
const runCount = 200 * scale
const brokenAt = 120 * scale
const shardCount = 2
const stable = Array.from({ length: 20 }, (_, index) => `stable ${index}`)
const flakyTests = ['flaky one', 'flaky two']
const regressions: Record<string, { from: number; to: number }> = {
  'fixed later': { from: 50 * scale, to: 80 * scale },
  'never fixed': { from: brokenAt, to: Infinity },
}
const lostDevices = new Set([30, 60, 126].map((index) => index * scale))
const renamedAt = 100 * scale

function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

interface Planned {
  shards: WrittenCase[][]
  /** The class of every case that fails. */
  classes: Record<string, string>
}

function planRuns(random: () => number): Planned[] {
  const flips = new Map(flakyTests.map((name) => [name, 0]))
  return Array.from({ length: runCount }, (_, index) => {
    const classes: Planned['classes'] = {}
    const isLost = lostDevices.has(index)
    const cases: WrittenCase[] = stable.map((name) => ({ name }))
    for (const name of flakyTests) {
      const roll = random()
      const message = `timed out after ${Math.floor(random() * 9000)} ms`
      const isHard = roll < 0.03 && (flips.get(name) ?? 0) >= 2
      if (isHard) classes[name] = 'flaky'
      // A case of the shard whose device is lost fails once, and tells nothing.
      else if (roll < 0.15 && !isLost) flips.set(name, (flips.get(name) ?? 0) + 1)
      cases.push(isHard ? { name, failure: message } : roll < 0.15 && !isLost ? { name, flaky: [message] } : { name })
    }
    for (const [name, { from, to }] of Object.entries(regressions)) {
      const fails = index >= from && index < to
      if (fails) classes[name] = index === from ? 'new' : 'known'
      cases.push(fails ? { name, failure: `${name}: expected 3 but was ${index}` } : { name })
    }
    cases.push({ name: index < renamedAt ? 'before the renaming' : 'after the renaming' })
    const shards = Array.from({ length: shardCount }, (_empty, shard) =>
      cases.filter((_one, at) => at % shardCount === shard),
    )
    if (isLost) {
      shards[0] = (shards[0] ?? []).map(({ name }) => ({ name, failure: `error: device offline (attempt ${index})` }))
      for (const { name } of shards[0]) classes[name] = 'infrastructure'
    }
    return { shards, classes }
  })
}

describe('a replayed history', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())

  for (const seed of [1, 2]) {
    it(`is judged exactly, whatever the order of the shards: seed ${seed}`, async () => {
      const alias = `shop-${seed}`
      const { id } = await createApplication(server, alias)
      // The plan is the same for both seeds; the order of the shards is not.
      const plan = planRuns(createRandom(7))
      const order = createRandom(seed)
      const runs: TestRun[] = []
      for (const [index, { shards, classes }] of plan.entries()) {
        const numbers = order() < 0.5 ? [1, 2] : [2, 1]
        let run: TestRun | undefined
        for (const number of numbers) {
          ;({ run } = await uploadReport(server, writeJunit(shards[number - 1] ?? []), {
            alias,
            branch: 'main',
            commit: `c${index}`,
            key: `run ${index}`,
            shard: `${number}/${shardCount}`,
          }))
        }
        assert.ok(run)
        assert.equal(run.state, 'complete')
        runs.push(run)
        const { json } = await server.call('GET', `/v1/testRuns/${run.id}/results?outcome=failed`)
        const found = Object.fromEntries(json.map((one: TestResult) => [one.name, one.classification]))
        assert.deepEqual(found, classes, `run ${index}`)
      }
      const list = async (state: string): Promise<Test[]> =>
        (await server.call('GET', `/v1/applications/${id}/tests?state=${state}`)).json
      assert.deepEqual((await list('flaky')).map(({ name }) => name).toSorted(), flakyTests)
      const failing = await list('failing')
      assert.deepEqual(
        failing.map(({ name }) => name),
        ['never fixed'],
      )
      assert.deepEqual(failing[0]?.range, [
        {
          branch: 'main',
          environment: null,
          lastPassed: { runId: runs[brokenAt - 1]?.id, commit: `c${brokenAt - 1}` },
          firstFailed: { runId: runs[brokenAt]?.id, commit: `c${brokenAt}` },
        },
      ])
      const { json } = await server.call(
        'GET',
        `/v1/testRuns/${runs[renamedAt]?.id}/comparison?to=${runs[renamedAt - 1]?.id}`,
      )
      assert.deepEqual(
        json.vanished.map((one: TestResult) => one.name),
        ['before the renaming'],
      )
      assert.deepEqual(
        json.appeared.map((one: TestResult) => one.name),
        ['after the renaming'],
      )
    })
  }
})
