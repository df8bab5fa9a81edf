import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findWideLines } from './check-line-width.ts'

describe('the check of line widths', () => {
  it('accepts 120 columns and reports 121 with the line number', () => {
    assert.deepEqual(findWideLines(`${'x'.repeat(120)}\n// ${'y'.repeat(118)}\n`), ['2: 121 columns'])
  })

  it('counts code points, not UTF-16 code units', () => {
    assert.deepEqual(findWideLines('😀'.repeat(120)), [])
    assert.deepEqual(findWideLines('😀'.repeat(121)), ['1: 121 columns'])
  })

  it('does not count the carriage return of a Windows line ending', () => {
    assert.deepEqual(findWideLines(`${'x'.repeat(120)}\r\n`), [])
  })

  it('accepts a line that fits without its URLs', () => {
    const url = `https://example.com/${'long/'.repeat(40)}`
    assert.deepEqual(findWideLines(`// See ${url} for the format.`), [])
    assert.deepEqual(findWideLines(`// ${'words '.repeat(20)}${url}`), ['1: 343 columns'])
  })
})
