import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { compareReleases, isLaterThanVersion } from './release-order.ts'

const release = (version: string, shortVersion: string, firstSeenAt = 0) => {
  return { id: firstSeenAt, version, short_version: shortVersion, first_seen_at: firstSeenAt }
}

describe('releases', () => {
  it('are ordered by build number, else by version, else by when they were first seen', () => {
    assert.ok(compareReleases(release('9', '2.0'), release('10', '1.0')) < 0)
    assert.ok(compareReleases(release('', '2.10.0'), release('', '2.9.1')) > 0)
    assert.ok(compareReleases(release('7', '2.1'), release('', '2.0')) > 0)
    assert.ok(compareReleases(release('', 'spring', 1), release('', 'autumn', 2)) < 0)
    assert.equal(compareReleases(release('1', '1.0', 3), release('1', '1.0', 3)), 0)
  })

  it('are later than the version of a resolution only when they follow it', () => {
    assert.equal(isLaterThanVersion(release('12', '1.2'), '12', 0), false)
    assert.equal(isLaterThanVersion(release('13', '1.2'), '12', 0), true)
    assert.equal(isLaterThanVersion(release('11', '1.2'), '12', 0), false)
    assert.equal(isLaterThanVersion(release('11', '1.3.0'), '1.2', 0), true)
    assert.equal(isLaterThanVersion(release('11', '1.2'), '1.2', 0), false)
  })
})
