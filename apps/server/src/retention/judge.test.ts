import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  applyPlainly,
  createRandom,
  generateHistory,
  type PlainHistory,
  type PlainOutcome,
} from '../testing/plain-retention.ts'
import { matchesBranch } from './glob.ts'
import { createJudge } from './judge.ts'

const now = Date.UTC(2026, 10, 22)

function judge({ builds, settings, defaultBranch, servedIds }: PlainHistory): PlainOutcome {
  const judgeOne = createJudge({ settings, now, defaultBranch }, new Set(servedIds))
  const outcome: PlainOutcome = { goes: [], pinned: [], recent: [], newestOfBranch: [], latest: [], distributed: [] }
  for (const { id, branch, ageMs, isPinned, groups } of builds.toSorted((a, b) => b.id - a.id)) {
    const verdict = judgeOne({
      id,
      branch,
      uploadedAt: now - ageMs,
      isPinned,
      groups: groups.map(({ groupId, agoMs }) => ({ groupId, distributedAt: now - agoMs })),
    })
    if (verdict) outcome[verdict.keptBy ?? 'goes'].push(id)
  }
  return outcome
}

describe('Rules of retention', () => {
  it('take and keep what a plain reading of them names, in 10,000 generated histories', () => {
    const random = createRandom(20_261_122)
    let [taken, kept] = [0, 0]
    for (let round = 0; round < 10_000; round++) {
      const history = generateHistory(random, 1 + Math.floor(random() * 80))
      const outcome = judge(history)
      assert.deepEqual(outcome, applyPlainly(history), `history ${round}`)
      taken += outcome.goes.length
      kept += Object.values(outcome).flat().length - outcome.goes.length
    }
    assert.ok(taken > 10_000 && kept > 10_000, `the histories say something: ${taken} taken, ${kept} kept`)
  })

  it('match whole branches, with stars for any characters, and nothing else with a meaning', () => {
    const table: [string, string, boolean][] = [
      ['*', '', true],
      ['*', 'release/1/2', true],
      ['release/*', 'release/1/2', true],
      ['release/*', 'release', false],
      ['main', 'Main', false],
      ['main', 'main2', false],
      ['', '', true],
      ['', 'main', false],
      ['a.c', 'abc', false],
      ['[ab]', 'a', false],
      ['a*b*c', 'a-b-b-c', true],
      ['a*a', 'a', false],
      ['*ab*ab', 'ab', false],
    ]
    for (const [pattern, branch, wanted] of table) {
      assert.equal(matchesBranch(pattern, branch), wanted, `${pattern} and ${branch}`)
    }
    const before = process.cpuUsage()
    assert.equal(matchesBranch('*a'.repeat(250), `${'a'.repeat(1000)}b`), false)
    // Processor time, because on a busy machine the clock also counts what other processes do.
    assert.ok(process.cpuUsage(before).user < 100_000, 'a hostile pattern takes no time')
  })
})
