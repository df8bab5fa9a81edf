import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { countCases } from './counts.ts'
import { identify, normalizeName } from './identity.ts'

const names = { suite: 'S', class: 'a.B', name: 'one', parameters: null, file: 'a.ts' }

describe('the identity of a test', () => {
  it('has 16 bytes as 32 hexadecimal digits, and differs for each name and scope', () => {
    const different = [
      names,
      { ...names, suite: 'T' },
      { ...names, class: 'a.C' },
      { ...names, name: 'two' },
      { ...names, parameters: '1' },
      { ...names, suite: null, class: 'Sa.B' },
    ].map((one) => identify(one))
    assert.equal(new Set([...different, identify(names, 'app 2')]).size, 7)
    assert.match(identify(names), /^[0-9a-f]{32}$/)
  })

  it('includes the file only if the class is empty or equals the name', () => {
    const move = (fields: object) =>
      identify({ ...names, ...fields }) === identify({ ...names, ...fields, file: 'b.ts' })
    assert.deepEqual([move({}), move({ class: null }), move({ class: 'one' })], [true, false, false])
  })

  it('is computed from an explicit identifier alone if there is one', () => {
    assert.equal(identify({ ...names, testId: '7' }), identify({ ...names, name: 'renamed', testId: '7' }))
  })

  it('ignores parts of names that change from run to run', () => {
    const pairs = [
      ['adds()', 'adds'],
      ['a  b\n c', 'a b c'],
      ['/home/runner/work/shop/shop/src/a.ts', 'src/a.ts'],
      ['C:\\Users\\ann\\shop\\a.ts', 'shop/a.ts'],
      ['reads /tmp/xyz1/a.txt', 'reads a.txt'],
      ['at 0x7fff5fbff8c0', 'at 0x'],
      ['Cart@1f2e3d4c', 'Cart'],
      ['id 123e4567-e89b-12d3-a456-426614174000', 'id <uuid>'],
    ]
    for (const [from = '', to] of pairs) assert.equal(normalizeName(from), to)
  })

  it('keeps parts of names that look variable but distinguish tests', () => {
    for (const name of ['GET /api/users', 'adds(1)', '0x10', 'ann@example.com', 'test[3]', 'a/b']) {
      assert.equal(normalizeName(name), name)
    }
  })
})

describe('counts', () => {
  it('count a case that passed after a failure as passed and as flaky', () => {
    const flaky = { outcome: 'passed' as const, isFlaky: true, attempts: [1, 2] }
    const failed = { outcome: 'failed' as const, isFlaky: false, attempts: [1] }
    assert.deepEqual(countCases([flaky, failed]), { cases: 2, passed: 1, failed: 1, skipped: 0, flaky: 1, attempts: 3 })
  })
})
