import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { createCrashReader } from './crash-reader.ts'

const children = `/proc/${process.pid}/task/${process.pid}/children`
const delivery = {
  body: Buffer.from('java.lang.Error\n\tat com.example.Cart.pay(Cart.java:1)\n'),
  encoding: null,
  protocol: 'report',
  options: { shortVersion: '1.0', version: '1' },
} as const

describe('a reader of crashes', () => {
  it('reads a delivery again if its process was killed from outside', { skip: !existsSync(children) }, async () => {
    await using reader = createCrashReader()
    const reading = reader.read(delivery, Buffer.alloc(32))
    while (readFileSync(children, 'utf8') === '') await setImmediate()
    process.kill(Number(readFileSync(children, 'utf8').split(' ')[0]), 'SIGKILL')
    const { crashes } = await reading
    assert.equal(crashes.length, 1)
  })
})
