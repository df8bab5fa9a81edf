import assert from 'node:assert/strict'
import { it } from 'node:test'
import { toPrefixEnd } from './prefix-end.ts'

it('the end of a prefix lies behind every text that begins with it, and before all others that follow', () => {
  assert.equal(toPrefixEnd('feature/'), 'feature0')
  assert.equal(toPrefixEnd('é'), 'ê')
  assert.equal(toPrefixEnd('a\u{10ffff}\u{10ffff}'), 'b')
  assert.equal(toPrefixEnd('\ud7ff'), '\ue000')
  assert.equal(toPrefixEnd('📦'), '📧')
  assert.equal(toPrefixEnd(''), undefined)
  assert.equal(toPrefixEnd('\u{10ffff}'), undefined)
})
