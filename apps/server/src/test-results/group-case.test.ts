import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Details, ReportCase } from '@fairlead/reports'
import { groupCase } from './group-case.ts'

/** Far more than the longest text that a report keeps of a failure, so that quadratic time would never end. */
const length = 2 ** 20
const repeat = (unit: string) => unit.repeat(length / unit.length)

/** Groups a case whose failures have these texts, and counts the turns that it takes. */
function groupTexts(texts: string[], message: string | null = null, type: string | null = null) {
  const failures = texts.map((_, reference) => ({
    kind: 'failure',
    type,
    message,
    place: null,
    details: reference,
  }))
  const testCase: ReportCase = {
    identity: '0'.repeat(32),
    suite: null,
    class: 'shop.CartTest',
    name: 'adds',
    parameters: null,
    file: null,
    environment: null,
    case: 1,
    outcome: 'failed',
    isFlaky: false,
    durationMs: null,
    attempts: [{ outcome: 'failed', durationMs: null, failures }],
    retryMark: null,
    outputs: [],
    attachments: [],
    source: '',
  }
  const details: Details = { read: (reference) => texts[reference] ?? '', [Symbol.dispose]: () => undefined }
  const grouping = groupCase(testCase, details)
  let turns = 1
  for (;;) {
    const step = grouping.next()
    if (step.done === true) return { grouped: step.value, turns }
    turns++
  }
}

describe('Grouping a failed case', () => {
  it('searches a run of white space once, however long it is', () => {
    for (const unit of [' ', '\n', '\t', '\r', '\r\n', '\n ', ' \n', '\u00a0', '\u2028']) {
      for (const text of [repeat(unit), `${repeat(unit)}x`, `x${repeat(unit)}x`, `a.ts:1:1 › t${repeat(unit)}x`]) {
        const { grouped } = groupTexts([text])
        assert.equal(grouped.hasTrace, false)
      }
    }
  })

  it('searches lines that resemble a frame or the head of a crash report once', () => {
    const lines = [`at${' /'.repeat(490)}(:1:1`, `at ${'a/'.repeat(490)}x`, `at${' /a'.repeat(300)}`, '{"']
    for (const line of lines) for (const end of ['\n', '\r']) groupTexts([repeat(`${line}${end}`)])
  })

  it('looks for a place at the beginning of a message once', () => {
    groupTexts([''], repeat(' '))
    groupTexts([''], `${repeat(' ')}x`)
  })

  it('gives other requests a turn after each of its failures', () => {
    const { grouped, turns } = groupTexts(Array.from({ length: 100 }, (_, index) => `Error: ${'xy'.repeat(index)}`))
    assert.ok(turns >= 100)
    assert.equal(grouped.otherKeys.length, 99)
  })

  it('gives other requests a turn after each part of a failure of Playwright', () => {
    const errors = Array.from({ length: 90 }, (_, index) => `\n\n    Error: ${'xy'.repeat(index + 1)}`)
    const { grouped, turns } = groupTexts([`a.ts:1:1 › t${errors.join('')}`], 'xy', 'Error')
    assert.equal(grouped.otherKeys.length, 89)
    assert.ok(turns >= 90, `${turns} turns`)
  })

  it('reads the matcher of the last expectation before it, and searches many beginnings of one once', () => {
    const parts = ['expect(expect(a)).not.toBe(b)', `${'expect('.repeat(9_000)}a).toBe(b)`, 'expect(a).toBe(b)']
    const errors = parts.map((part, index) => `\n\n    Error: no ${'x'.repeat(index + 1)}\n\n    ${part}`)
    const { grouped } = groupTexts([`a.ts:1:1 › t${errors.join('')}`], 'no x', 'expect.not.toBe')
    assert.equal(grouped.otherKeys.length, 2)
  })
})
