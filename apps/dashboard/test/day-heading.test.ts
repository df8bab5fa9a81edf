import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { toDayHeading } from '../src/ui/day-heading.ts'

describe('the heading of a day', () => {
  // Without an offset these are times of the reader's own zone.
  const now = new Date('2026-03-01T00:30:00').getTime()
  const of = (time: string) => toDayHeading(new Date(time).toISOString(), now)

  it('is today and yesterday by the calendar, whatever the hour', () => {
    assert.equal(of('2026-03-01T00:10:00'), 'Today')
    assert.equal(of('2026-02-28T23:50:00'), 'Yesterday')
    assert.equal(of('2026-02-28T00:00:00'), 'Yesterday')
  })

  it('is a whole date before that, because a list may be long', () => {
    assert.equal(of('2026-02-27T23:59:59'), '27 February 2026')
    assert.equal(of('2025-03-01T12:00:00'), '1 March 2025')
  })
})
