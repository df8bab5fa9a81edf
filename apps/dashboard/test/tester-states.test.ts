import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { toStateLabel } from '../src/builds/tester-states.ts'

describe('the state of a tester', () => {
  it('is not that they were told while their mail waits or has failed', () => {
    const mails = ['sent', 'waiting', 'failed', null] as const
    assert.deepEqual(
      mails.map((mailState) => toStateLabel({ state: 'told', mailState })),
      ['Told', 'Mail waits', 'Mail failed', 'Told'],
    )
    assert.equal(toStateLabel({ state: 'installed', mailState: 'failed' }), 'Installed')
  })
})
