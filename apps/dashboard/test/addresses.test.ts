import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseAddresses } from '../src/groups/addresses.ts'

const emailsOf = (text: string, known?: string[]) => parseAddresses(text, known).good.map(({ email }) => email)

describe('parsing pasted addresses', () => {
  it('splits at commas, semicolons, line breaks and white space', () => {
    assert.deepEqual(emailsOf('a@x.org, b@x.org;c@x.org\r\nd@x.org\te@x.org  f@x.org'), [
      'a@x.org',
      'b@x.org',
      'c@x.org',
      'd@x.org',
      'e@x.org',
      'f@x.org',
    ])
  })

  it('keeps the name before an address', () => {
    const { good } = parseAddresses('"Ada Lovelace" <ada@example.com>, <bob@example.com>')
    assert.deepEqual(good, [
      { entry: 'Ada Lovelace <ada@example.com>', email: 'ada@example.com' },
      { entry: 'bob@example.com', email: 'bob@example.com' },
    ])
  })

  it('counts an address once regardless of case, and omits known ones', () => {
    const parsed = parseAddresses('Ada@example.com ada@example.com bob@example.com', ['BOB@example.com'])
    assert.deepEqual(parsed.good, [{ entry: 'Ada@example.com', email: 'Ada@example.com' }])
    assert.deepEqual(parsed.repeated, ['ada@example.com', 'bob@example.com'])
  })

  it('separates invalid entries from addresses', () => {
    assert.deepEqual(parseAddresses('ada@, nobody, Eve <eve>, ok@example.com').bad, ['ada@', 'nobody', 'eve'])
  })

  it('returns nothing for empty text', () => {
    assert.deepEqual(parseAddresses(' \n ,;'), { good: [], repeated: [], bad: [] })
  })
})
