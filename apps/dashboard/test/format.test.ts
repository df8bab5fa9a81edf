import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { toAlias } from '../src/applications/alias.ts'
import { createSpeedometer } from '../src/uploads/speedometer.ts'
import { formatBytes, formatCount, formatDay, formatInstant, formatMoment, formatRelative } from '../src/ui/format.ts'

describe('formatted numbers and times', () => {
  it('round bytes to three digits of a fitting unit', () => {
    assert.deepEqual([0, 999, 1000, 84_249_000, 999_700, 4_294_967_296].map(formatBytes), [
      '0 B',
      '999 B',
      '1 kB',
      '84.2 MB',
      '1 MB',
      '4.29 GB',
    ])
  })

  it('name a day as it is in every zone, with its year unless that is this year', () => {
    const now = Date.UTC(2026, 10, 21, 12)
    const days = ['2026-11-20', '2026-11-20T12:00:00.000Z', '2025-12-31', '2027-02-25T12:00:00.000Z']
    assert.deepEqual(
      days.map((day) => formatDay(day, now)),
      ['20 Nov', '20 Nov', '31 Dec 2025', '25 Feb 2027'],
    )
  })

  it('have the singular or the plural of their noun', () => {
    assert.deepEqual(
      [formatCount(1, 'build'), formatCount(1200, 'build'), formatCount(0, 'entry', 'entries')],
      ['1 build', '1,200 builds', '0 entries'],
    )
  })

  it('are relative to now', () => {
    const now = Date.UTC(2026, 10, 21, 12)
    const at = (seconds: number) => formatRelative(new Date(now + seconds * 1000).toISOString(), now)
    assert.deepEqual(
      [at(-5), at(-90), at(-3 * 3600), at(-86_400), at(15 * 86_400)],
      ['just now', '1 minute ago', '3 hours ago', 'yesterday', 'in 2 weeks'],
    )
  })

  it('are dates when they are older than six days, and say their zone', () => {
    const now = Date.UTC(2026, 10, 21, 12)
    const at = (days: number) => formatRelative(new Date(now - days * 86_400_000).toISOString(), now)
    assert.deepEqual([at(6), at(8), at(400)], ['6 days ago', '13 Nov', '17 Oct 2025'])
    assert.match(formatInstant('2026-05-06T07:08:09.000Z'), /^\d+ May 2026, \d\d:\d\d \S+$/)
    assert.match(formatMoment('2026-05-06T07:08:09.000Z'), /^\d+ May 2026, \d\d:\d\d:09 \S+$/)
  })
})

describe('a suggested alias', () => {
  it('has only characters that an alias may have', () => {
    assert.deepEqual(['My App (Beta)', 'Überblick', '  --  ', 'x'.repeat(80)].map(toAlias), [
      'my-app-beta',
      'uberblick',
      '',
      'x'.repeat(64),
    ])
  })
})

describe('the speed of an upload', () => {
  it('is averaged over the last seconds, not over the whole upload', () => {
    let now = 0
    const measure = createSpeedometer(() => now)
    now = 1000
    assert.equal(measure(1_000_000), 1_000_000)
    for (let second = 2; second <= 10; second++) {
      now = second * 1000
      measure(1_000_000 + (second - 1) * 100_000)
    }
    now = 11_000
    assert.equal(Math.round(measure(2_000_000)), 100_000)
  })
})
