import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseAddresses } from '../src/groups/addresses.ts'

const emailsOf = (text: string, known?: string[]) => parseAddresses(text, known).good.map(({ email }) => email)

describe('pasted mail addresses', () => {
  it('are separated by commas, semicolons, lines or white space', () => {
    assert.deepEqual(emailsOf('a@x.org, b@x.org;c@x.org\r\nd@x.org\te@x.org  f@x.org'), [
      'a@x.org',
      'b@x.org',
      'c@x.org',
      'd@x.org',
      'e@x.org',
      'f@x.org',
    ])
  })

  it('keep the name before the address', () => {
    const { good } = parseAddresses('"Ada Lovelace" <ada@example.com>, <bob@example.com>')
    assert.deepEqual(good, [
      { entry: 'Ada Lovelace <ada@example.com>', email: 'ada@example.com' },
      { entry: 'bob@example.com', email: 'bob@example.com' },
    ])
  })

  it('keep a comma in a quoted name, even when the quote is never closed', () => {
    const { good, bad } = parseAddresses('"Lovelace, Ada" <ada@example.com>; "Hopper, Grace" <grace@example.com>')
    assert.deepEqual(
      good.map(({ entry }) => entry),
      ['Lovelace, Ada <ada@example.com>', 'Hopper, Grace <grace@example.com>'],
    )
    assert.deepEqual(bad, [])
    assert.deepEqual(emailsOf('"Ada <ada@example.com>, bob@example.com'), ['ada@example.com', 'bob@example.com'])
  })

  it('are listed once regardless of case, and left out when they are in the group already', () => {
    const parsed = parseAddresses('Ada@example.com ada@example.com bob@example.com', ['BOB@example.com'])
    assert.deepEqual(parsed.good, [{ entry: 'Ada@example.com', email: 'Ada@example.com' }])
    assert.deepEqual(parsed.repeated, ['ada@example.com', 'bob@example.com'])
  })

  it('are separated from text that is no address', () => {
    assert.deepEqual(parseAddresses('ada@, nobody, Eve <eve>, ok@example.com').bad, ['ada@', 'nobody', 'eve'])
  })

  it('are an empty list for an empty text', () => {
    assert.deepEqual(parseAddresses(' \n ,;'), { good: [], repeated: [], bad: [] })
  })
})
