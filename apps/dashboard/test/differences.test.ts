import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { compareBuilds } from '../src/builds/differences.ts'

const build = {
  shortVersion: '1.0',
  version: '1',
  size: 1_000_000,
  permissions: ['android.permission.INTERNET'],
  minOsVersion: '24',
  targetOsVersion: '35',
  architectures: ['arm64-v8a'],
  signing: {
    certificates: [{ scheme: 'v2', sha256: 'a'.repeat(64), subject: 'CN=Team', notAfter: null }],
    profile: null,
    integrity: 'verified' as const,
  },
  debuggable: false,
}

describe('the differences between two builds', () => {
  it('are an empty list for builds that do not differ', () => {
    assert.deepEqual(compareBuilds(build, { ...build, version: '2' }), [])
  })

  it('list added and removed permissions, those of Android without their prefix', () => {
    const after = { ...build, permissions: ['android.permission.CAMERA', 'com.example.OWN'] }
    assert.deepEqual(compareBuilds(build, after), [
      { what: 'New permissions', before: '', after: 'CAMERA, com.example.OWN', isNotable: true },
      { what: 'Dropped permissions', before: 'INTERNET', after: '', isNotable: false },
    ])
  })

  it('give the change of the size, and mark a large one', () => {
    const [small] = compareBuilds(build, { ...build, size: 1_020_000 })
    assert.deepEqual(small, { what: 'Size', before: '1 MB', after: '1.02 MB (+20 kB, +2 %)', isNotable: false })
    const [jump] = compareBuilds(build, { ...build, size: 800_000 })
    assert.deepEqual(jump, { what: 'Size', before: '1 MB', after: '800 kB (−200 kB, −20 %)', isNotable: true })
  })

  it('mark another certificate and another minimum system version', () => {
    const certificate = { scheme: 'v2', sha256: 'b'.repeat(64), subject: 'CN=Other', notAfter: null }
    const signing = { ...build.signing, certificates: [certificate] }
    assert.deepEqual(
      compareBuilds(build, { ...build, signing, minOsVersion: null }).map(({ what, before, after }) => [
        what,
        before,
        after,
      ]),
      [
        ['Minimum system', '24', 'none'],
        ['Signed by', 'CN=Team (aaaaaaaaaaaa…)', 'CN=Other (bbbbbbbbbbbb…)'],
      ],
    )
  })
})
