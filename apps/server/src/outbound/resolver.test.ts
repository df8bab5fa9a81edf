import assert from 'node:assert/strict'
import { afterEach, describe, it, mock } from 'node:test'
import type { Resolve } from './guarded-client.ts'
import { createResolver } from './resolver.ts'

describe('The resolver of names that users give', () => {
  afterEach(() => mock.timers.reset())

  it('asks once for connections that are made at the same time, and again for the next one', () => {
    const asked: Parameters<Resolve>[1][] = []
    const resolve = createResolver((_name, done) => asked.push(done))
    const answers: string[] = []
    const take: Parameters<Resolve>[1] = (_error, addresses) => answers.push(...addresses.map(({ address }) => address))
    resolve('a.example.com', take)
    resolve('a.example.com', take)
    resolve('b.example.com', take)
    assert.equal(asked.length, 2)
    asked[0]?.(null, [{ address: '192.0.2.1', family: 4 }])
    assert.deepEqual(answers, ['192.0.2.1', '192.0.2.1'])
    resolve('a.example.com', take)
    assert.equal(asked.length, 3)
    asked[2]?.(null, [{ address: '192.0.2.7', family: 4 }])
    assert.equal(answers.at(-1), '192.0.2.7')
  })

  it('leaves a name alone for a minute whose servers do not answer', () => {
    mock.timers.enable({ apis: ['setTimeout', 'Date'] })
    let asked = 0
    const resolve = createResolver(() => asked++)
    const failures: (Error | null)[] = []
    const take: Parameters<Resolve>[1] = (error) => failures.push(error)
    resolve('dead.example.com', take)
    mock.timers.tick(5001)
    resolve('dead.example.com', take)
    assert.equal(asked, 1)
    assert.equal(failures.length, 1)
    resolve('other.example.com', take)
    assert.equal(asked, 2)
  })
})
