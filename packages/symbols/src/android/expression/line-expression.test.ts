import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createRandom } from '../../../bench/android-mapping.ts'
import { compileLineExpression } from '../../index.ts'
import { parseTraceLine } from '../trace/trace-line.ts'
import { defaultLineExpression } from './line-expression.ts'

const pieces = [
  'at ',
  ' at ',
  '\tat ',
  'a.b.c',
  'A',
  'Suppressed',
  'Suppressed: ',
  'Caused by: ',
  ': ',
  ':',
  '"',
  ' ',
  '(',
  ')',
  '(Foo.java:12)',
  '(:3)',
  '()',
  '~[x.jar]',
  '~[',
  ']',
  '[',
  'a/b/',
  '/',
  '<init>',
  '<clinit>',
  '.',
  '1',
  '9a',
  '.m',
  'at',
  '-',
  'msg',
  '\u00a0',
  'Exception in thread "main" ',
  'foo.bar',
  'é',
  ';',
]

describe('the trace line scanner', () => {
  it("finds the same parts as R8's expression", () => {
    const random = createRandom(20_261_121)
    const parseByExpression = compileLineExpression(defaultLineExpression)
    for (let round = 0; round < 20_000; round++) {
      const line = Array.from({ length: 1 + random(9) }, () => pieces[random(pieces.length)]).join('')
      assert.deepEqual(parseTraceLine(line), parseByExpression(line), JSON.stringify(line))
    }
  })

  it('scans 60,000 characters of repeated patterns', () => {
    for (const piece of ['at ', 'at a.b(', ')', 'a.', ': ', '"', '.1', ' ', 'at a.b() ~[']) {
      const line = piece.repeat(60_000 / piece.length)
      assert.equal(parseTraceLine(line).text, line)
    }
  })
})

describe('a line expression', () => {
  it('is matched in linear time even if backtracking would be exponential', () => {
    const parse = compileLineExpression('(?:(?:a|a)*)*%c(?:(?:b*)*)*!')
    assert.deepEqual(parse(`${'a'.repeat(20_000)}${'b'.repeat(20_000)}`).parts, [])
  })

  it('with a fault is rejected with a reason', () => {
    for (const expression of [
      '(',
      ')',
      '[a',
      '*',
      'a{2,1}',
      'a{99999}',
      '(?=a)',
      '(?<!a)',
      'a++',
      '%x',
      '%',
      '\\',
      '\\p{Nothing}',
      '(a{1000}){1000}',
      '('.repeat(100),
    ]) {
      assert.throws(() => compileLineExpression(expression), { code: 'malformed-expression' }, expression)
    }
  })
})
