import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { maskMessage, maskText } from './mask.ts'

describe('masking of free text', () => {
  for (const [text, masked] of [
    ['signed in as ada.lovelace+7@example.org', 'signed in as <email>'],
    ['Grüße an jürgen@müller.example', 'Grüße an <email>'],
    ['from 203.0.113.77 (2001:db8::7f3a)', 'from <ip> (<ip>)'],
    ['connect to 127.0.0.1:8080 failed', 'connect to <ip>:8080 failed'],
    ['Authorization: Bearer abcdef123456', 'Authorization: Bearer <token>'],
    ['token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3In0.c2ln', 'token <token>'],
    ['GET /pay?token=abc&x=1', 'GET /pay?token=<secret>&x=1'],
    ['{"password": "hunter2"}', '{"password": "<secret>"}'],
    ['card 4111 1111 1111 1111 declined', 'card <card> declined'],
    ['in /Users/ada/Documents/r.pdf and /home/ada/r.pdf', 'in ~/Documents/r.pdf and ~/r.pdf'],
    ['C:\\Users\\ada\\AppData', '~\\AppData'],
    ['Token 123456', 'Token <token>'],
    ['fl_0123456789abcdef', '<token>'],
    ['sk_live_0123456789abcdef', '<token>'],
    ['key AKIA0123456789ABCDEF', 'key <token>'],
    ['xoxb-0123456789-abcdef', '<token>'],
    ['glpat-0123456789abcdef', '<token>'],
    ['eyJabcde.ab', '<token>'],
    ['4111111111111111', '<card>'],
    ['sid=1', 'sid=<secret>'],
    ['a@b.c', '<email>'],
    ['1.2.3.4', '<ip>'],
    ['::1', '<ip>'],
  ] as const) {
    it(`masks personal data in "${text}"`, () => {
      assert.equal(maskText(text), masked)
    })
  }

  for (const text of [
    'Index 7 out of bounds for length 4111111111111112',
    'std::vector<int>::at and a::b::c',
    'version 1.2.3 at 12:30:45',
    'java.lang.IllegalStateException: no wallet',
    '/system/lib64/libc.so at 0x7fff61bc85be',
    'com.example.Shop$Cart.add',
    'org.tarn.Ledger.flushPendingTransactions',
    'npmPackagesThatAreInstalled',
  ]) {
    it(`leaves "${text}" as it is`, () => {
      assert.equal(maskText(text), text)
    })
  }

  it('masks before it cuts, so that no part of an address remains at the end', () => {
    const text = `${'x '.repeat(2040)} ada.lovelace@example.org ${'y'.repeat(20_000)}`
    assert.doesNotMatch(maskMessage(text), /ada/)
    assert.equal(maskMessage(text).length, 4096)
  })

  it('takes bounded time for long texts that make patterns with unbounded repetitions backtrack', () => {
    for (const unit of ['a.', '1.', '1 ', '1-', 'a@', 'eyJ', 'token=', 'a:', '::', '/Users/', '\\', '4111 ']) {
      assert.ok(maskText(unit.repeat(1_000_000 / unit.length)).length > 0)
    }
  })
})
