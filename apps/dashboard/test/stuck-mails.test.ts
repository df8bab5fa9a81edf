import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { areMailsStuck } from '../src/outbox/stuck-mails.ts'

const now = Date.parse('2026-11-21T12:00:00.000Z')

describe('mails in the outbox', () => {
  it('are stuck if the newest one has waited for minutes', () => {
    const mail = { status: 'waiting' as const, createdDate: '2026-11-21T11:50:00.000Z' }
    assert.equal(areMailsStuck([mail], now), true)
    assert.equal(areMailsStuck([{ ...mail, createdDate: '2026-11-21T11:59:30.000Z' }], now), false)
    assert.equal(areMailsStuck([{ ...mail, status: 'sent' }, mail], now), false)
    assert.equal(areMailsStuck([], now), false)
  })
})
