import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createStatementNames } from './statement-names.ts'

describe('names of prepared statements', () => {
  it('are given to a query that is used twice, and stay the same', () => {
    const names = createStatementNames()
    assert.equal(names.find('select 1'), undefined)
    const name = names.find('select 1')
    assert.ok(name)
    assert.equal(names.find('select 1'), name)
    names.find('select 2')
    assert.notEqual(names.find('select 2'), name)
  })

  it('are not given to the start and the end of a transaction', () => {
    const names = createStatementNames()
    for (const text of ['begin', 'begin', 'commit', 'commit', 'rollback', 'rollback']) {
      assert.equal(names.find(text), undefined)
    }
  })

  it('are limited in number, however many texts come', () => {
    const names = createStatementNames()
    const texts = Array.from({ length: 8000 }, (_, index) => `select ${index}`)
    for (const text of texts) {
      names.find(text)
      names.find(text)
    }
    assert.equal(texts.filter((text) => names.find(text) !== undefined).length, 1000)
  })

  it('are all new after a migration, and never name another text', () => {
    const names = createStatementNames()
    const nameTwice = (text: string) => [names.find(text), names.find(text)].at(-1)
    const before = nameTwice('select 1')
    names.renew()
    const after = nameTwice('select 2')
    assert.ok(before !== undefined && after !== undefined && before !== after)
  })

  it('are given no more once the other end has shown that it keeps no statements', () => {
    const names = createStatementNames()
    names.find('select 1')
    names.stop()
    assert.equal(names.find('select 1'), undefined)
  })
})
