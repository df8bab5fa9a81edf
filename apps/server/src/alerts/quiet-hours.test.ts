import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findQuietEnd, isTimeZone } from './quiet-hours.ts'

describe('quiet hours', () => {
  const night = { from: '22:00', to: '07:00', timeZone: 'Europe/Stockholm' }
  const endOf = (hours: typeof night, time: string) => {
    const end = findQuietEnd(hours, Date.parse(time))
    return end === undefined ? null : new Date(end).toISOString()
  }

  it('end at the same time of the wall clock before and after a change to daylight saving', () => {
    assert.equal(endOf(night, '2026-03-27T22:30:00Z'), '2026-03-28T06:00:00.000Z')
    // The clock goes forward in this night, and back in the other.
    assert.equal(endOf(night, '2026-03-28T22:30:00Z'), '2026-03-29T05:00:00.000Z')
    assert.equal(endOf(night, '2026-10-24T21:30:00Z'), '2026-10-25T06:00:00.000Z')
    assert.equal(endOf(night, '2026-10-25T05:59:59Z'), '2026-10-25T06:00:00.000Z')
  })

  it('begin with their first minute and are over with their last', () => {
    assert.equal(endOf(night, '2026-01-10T20:59:59Z'), null)
    assert.equal(endOf(night, '2026-01-10T21:00:00Z'), '2026-01-11T06:00:00.000Z')
    assert.equal(endOf(night, '2026-01-11T06:00:00Z'), null)
  })

  it('may lie within a day, and end at a time that the clock skips', () => {
    const noon = { from: '12:00', to: '13:30', timeZone: 'Asia/Kathmandu' }
    assert.equal(endOf(noon, '2026-01-10T06:15:00Z'), '2026-01-10T07:45:00.000Z')
    assert.equal(endOf(noon, '2026-01-10T07:45:00Z'), null)
    assert.equal(endOf({ ...night, to: '02:30' }, '2026-03-28T22:30:00Z'), '2026-03-29T01:30:00.000Z')
  })

  it('know zones by their names only', () => {
    for (const zone of ['Europe/Stockholm', 'UTC', 'America/Argentina/Buenos_Aires']) assert.ok(isTimeZone(zone), zone)
    for (const zone of ['+02:00', 'Europe/Atlantis', '', 'Stockholm', '../etc/passwd'])
      assert.ok(!isTimeZone(zone), zone)
  })
})
