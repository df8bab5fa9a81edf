import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Verdict } from '@fairlead/contract'
import { splitReasons } from '../src/verdicts/rule-of-builds.ts'

const failing = { code: 'new', count: 2, detail: '2 tests fail that did not fail at the base' } as const
const known = { code: 'known', count: 1, detail: '1 test fails as at the base' } as const
const vanished = { code: 'vanished', count: 3, detail: '3 tests of the base did not run' } as const
const split = (...reasons: Verdict['reasons']) => splitReasons(reasons)

describe('the reasons of a verdict', () => {
  it('name apart what fails a build but no run, and call it known as the run does', () => {
    assert.deepEqual(split(failing, known), {
      ofRuns: [failing.detail],
      ofBuild: 'A build fails for these as well, a run does not: 1 known.',
    })
    assert.deepEqual(split(known, vanished), {
      ofRuns: [],
      ofBuild: 'A build fails for these, a run does not: 1 known, 3 tests of the base did not run.',
    })
  })

  it('are all of the run where they fail a run', () => {
    assert.deepEqual(split(failing), { ofRuns: [failing.detail], ofBuild: null })
    assert.deepEqual(split(), { ofRuns: [], ofBuild: null })
  })
})
