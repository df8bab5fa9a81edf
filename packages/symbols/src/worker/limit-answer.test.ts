import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { SymbolicatedReport } from '../symbolicated.ts'
import { limitAnswer } from './limit-answer.ts'

function createReport(text: string, frameCounts: readonly number[]): SymbolicatedReport {
  const frame = {
    function: 'Cart::total()',
    file: 'cart.cpp',
    line: 1,
    column: null,
    module: 'Shop',
    address: '0x1',
    inlined: false,
    alternatives: [],
    raw: 'ü\u0001'.repeat(100),
  }
  const threads = frameCounts.map((count) => ({
    name: 'main',
    crashed: false,
    frames: Array.from({ length: count }, () => frame),
  }))
  return { kind: 'apple', text, threads, missingSymbols: [], usedImages: [], usedMappings: [], warnings: [] }
}

describe('the limit of an answer', () => {
  it('does not change an answer below the limit', () => {
    const report = createReport('short', [3, 2])
    assert.equal(limitAnswer(report), report)
  })

  it('removes the last frames, gives their number, and keeps the JSON below the limit in bytes', () => {
    const limited = limitAnswer(createReport('short', [30, 20]), 20_000)
    const [first, ...rest] = limited.threads
    assert.ok(first && first.frames.length > 10 && first.frames.length < 30)
    assert.ok(rest.every(({ frames }) => frames.length === 0))
    assert.match(limited.warnings[0] ?? '', new RegExp(`last ${50 - first.frames.length} frames are in the text only`))
    assert.ok(Buffer.byteLength(JSON.stringify(limited)) <= 20_000)
  })

  it('refuses an answer whose text alone exceeds it', () => {
    assert.throws(() => limitAnswer(createReport('x'.repeat(20_000), []), 20_000), { code: 'too-large' })
  })
})
