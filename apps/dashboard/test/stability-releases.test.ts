import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Stability } from '@fairlead/contract'
import { colorReleases } from '../src/crashes/release-colors.ts'
import { toDays } from '../src/crashes/stability-days.ts'
import { sumReleases } from '../src/crashes/stability-releases.ts'

const row = (
  date: string,
  shortVersion: string | null,
  version: string | null,
  started = 10,
  crashed = 0,
): Stability => ({
  date,
  environment: 'production',
  package: null,
  shortVersion,
  version,
  startedCount: started,
  crashedCount: crashed,
  crashFreeRate: 1,
  startedInstallCount: started,
  crashedInstallCount: crashed,
  crashFreeInstallRate: 1,
  adoptionRate: 1,
})
const sum = (...rows: Stability[]) => sumReleases(toDays(rows))
const names = (...rows: Stability[]) => sum(...rows).map(({ name }) => name)

describe('the stability of releases', () => {
  it('has the newest release first: by build number, else by version', () => {
    const day = '2026-11-20'
    assert.deepEqual(names(row(day, '2.0', '9'), row(day, '1.9', '10')), ['1.9 (10)', '2.0 (9)'])
    assert.deepEqual(names(row(day, '2.9.1', null), row(day, '2.10', null)), ['2.10', '2.9.1'])
    assert.deepEqual(names(row(day, '2.9', 'a1b2'), row(day, '2.10', '0f0f')), ['2.10 (0f0f)', '2.9 (a1b2)'])
  })

  it('sums the days of a release, and has a place for days on which nothing of it was started', () => {
    const [newest, older] = sum(row('2026-11-20', '1.1', '2', 4, 1), row('2026-11-18', '1.0', '1', 6, 3))
    assert.deepEqual(newest && [newest.rate, newest.crashedByDay], [0.75, [0, 0, 1]])
    assert.deepEqual(older && [older.rate, older.crashedByDay], [0.5, [3, 0, 0]])
  })

  it('looks at the newest thirty days only', () => {
    assert.deepEqual(names(row('2026-11-30', '1.1', '2'), row('2026-10-31', '1.0', '1')), ['1.1 (2)'])
    assert.deepEqual(names(row('2026-11-30', '1.1', '2'), row('2026-11-01', '1.0', '1')), ['1.1 (2)', '1.0 (1)'])
  })

  it('has no rate for a release of which only crashes are known', () => {
    assert.deepEqual(sum(row('2026-11-20', null, '7', 0, 2))[0]?.rate, null)
  })
})

describe('the colours of releases', () => {
  it('go to the five with the highest counts, the first to the newest', () => {
    const releases = [7, 3, 9, 1, 5, 8].map((build) => ({ version: String(build), shortVersion: '1.0' }))
    const colored = colorReleases(releases, ({ version }) => (version === '8' ? 0 : 1))
    assert.deepEqual(
      colored.map(({ release, color }) => [release.version, color]),
      [
        ['9', 1],
        ['7', 2],
        ['5', 3],
        ['3', 4],
        ['1', 5],
      ],
    )
  })
})
