import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { MissingSymbols } from '@fairlead/contract'
import { findUploadable, listMissingOf } from '../src/crashes/missing-of-crash.ts'

function createMissing(values: Partial<MissingSymbols>): MissingSymbols {
  const release = { package: null, shortVersion: null, version: null }
  return { kind: 'proguard', uuid: null, codeId: null, name: null, ...release, stackCount: 1, crashCount: 1, ...values }
}

const release = { package: 'org.shop', shortVersion: '1.2', version: '7' }
const uuid = 'd0bf2c7e-3f5a-3c8e-9a41-5b6c7d8e9f10'

describe('the banner above a crash with unread frames', () => {
  it('offers no upload for a mapping without a release and libraries without an id, which nothing could find', () => {
    const all = [createMissing({}), createMissing({ kind: 'elf', name: 'libcart.so' }), createMissing(release)]
    const missing = listMissingOf({ missingSymbols: ['a release without a name', 'libcart.so'] }, all)
    assert.deepEqual(missing, all.slice(0, 2))
    assert.equal(findUploadable(missing), undefined)
  })

  it('offers no upload for a mapping of a version without a build number', () => {
    const all = [createMissing({ ...release, version: null })]
    const missing = listMissingOf({ missingSymbols: ['org.shop 1.2'] }, all)
    assert.deepEqual([missing, findUploadable(missing)], [all, undefined])
  })

  it('offers the upload of what has an id, the build number of a mapping, or the bundle of a source map', () => {
    for (const [name, one] of [
      ['org.shop 1.2 (7)', createMissing(release)],
      [uuid, createMissing({ uuid })],
      [uuid, createMissing({ kind: 'dsym', uuid, name: 'Shop' })],
      [uuid, createMissing({ kind: 'elf', uuid, name: 'libcart.so' })],
      ['index.android.bundle', createMissing({ kind: 'sourcemap', name: 'index.android.bundle' })],
    ] as const) {
      const missing = listMissingOf({ missingSymbols: [name] }, [createMissing({}), one])
      assert.deepEqual([missing, findUploadable(missing)], [[one], one])
    }
  })

  it('offers the first that an upload can give, behind others that nothing can', () => {
    const all = [createMissing({ kind: 'elf', name: 'libcart.so' }), createMissing(release)]
    const missing = listMissingOf({ missingSymbols: ['libcart.so', 'org.shop 1.2 (7)'] }, all)
    assert.deepEqual(findUploadable(missing), all[1])
  })

  it('names nothing that only other crashes wait for', () => {
    assert.deepEqual(listMissingOf({ missingSymbols: [] }, [createMissing({}), createMissing(release)]), [])
  })
})
