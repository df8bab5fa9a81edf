import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseTestArguments } from './test-arguments.ts'

describe('the arguments of npm test', () => {
  it('choose files, names and the second engine', () => {
    assert.deepEqual(parseTestArguments([]), { patterns: [], names: [], onPostgres: false, record: false })
    assert.deepEqual(parseTestArguments(['a.test.ts', '--name', 'is kept', '--name=^x', 'b/*.test.ts', '--postgres']), {
      patterns: ['a.test.ts', 'b/*.test.ts'],
      names: ['is kept', '^x'],
      onPostgres: true,
      record: false,
    })
  })

  it('are refused when they are not understood', () => {
    assert.throws(() => parseTestArguments(['--nane', 'x']), /Unknown option '--nane'/)
    assert.throws(() => parseTestArguments(['-t', 'x']), /Unknown option '-t'/)
    assert.throws(() => parseTestArguments(['a.test.ts', '--name']), /argument missing/)
    assert.throws(() => parseTestArguments(['--name', '']), /needs a pattern/)
    assert.throws(() => parseTestArguments(['--name', '(']), /not a regular expression/)
    assert.throws(() => parseTestArguments(['a.test.ts', '--record']), /everything/)
  })
})
