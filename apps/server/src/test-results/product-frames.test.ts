import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isMachineFailure } from './lost-machine.ts'
import { type FailedTest, toProductKey } from './product-frames.ts'

const test: FailedTest = { className: null, file: null }
const keyOf = (details: string, of = test, message: string | null = null) =>
  toProductKey({ type: null, message, details }, of)
const node = (caller: string) =>
  `TypeError: no number\n    at charge (/srv/shop/src/shop.js:10:22)\n    at ${caller} (/srv/shop/cart.test.js:20:18)`

describe('the functions of the product in which a test failed', () => {
  it('are the same for two tests that call them, in any language', () => {
    assert.equal(keyOf(node('Context.<anonymous>')), keyOf(node('Object.other')))
    const java = (method: string) =>
      'java.lang.IllegalStateException: no number\n\tat shop.Card.charge(Card.java:7)\n' +
      `\tat shop.CartTest.${method}(CartTest.java:20)\n\tat java.base/java.lang.reflect.Method.invoke(Method.java:5)`
    assert.equal(keyOf(java('bills')), keyOf(java('refunds')))
    assert.notEqual(keyOf(java('bills')), null)
    const python = (name: string) =>
      `def test_${name}():\n>   order()\n\ntest_cart.py:8: \n_ _ _\nshop.py:6: in order\n    return charge(card)\n` +
      "_ _ _\n    def charge(card):\nE   KeyError: 'number'\n\nshop.py:10: KeyError"
    const keyOfPython = (name: string) => keyOf(python(name), test, "KeyError: 'number'")
    assert.equal(keyOfPython('bills'), keyOfPython('refunds'))
    assert.notEqual(keyOfPython('bills'), null)
  })

  it('are none for a failed assertion, for frames of tests and helpers, and for a file without a function', () => {
    const assertion = '\n    at same (/srv/shop/src/compare.js:3:5)\n    at /srv/shop/cart.test.js:9:1'
    assert.equal(keyOf(`Error: expect(received).toBe(expected)${assertion}`), null)
    assert.equal(keyOf(`AssertionError [ERR_ASSERTION]: 2 !== 3${assertion}`), null)
    assert.equal(
      keyOf('Error: gone\n    at open (/srv/shop/test/helpers/page.js:3:5)\n    at run (/srv/shop/src/a.js:1:1)'),
      null,
    )
    assert.equal(keyOf('Error: gone\n    at /srv/shop/src/shop.js:3:5'), null)
    const own = 'java.lang.IllegalStateException: no\n\tat shop.Checkout.pays(Checkout.java:20)'
    assert.equal(keyOf(own, { className: 'shop.Checkout', file: null }), null)
    assert.notEqual(keyOf(own), null)
  })

  it('are others when the message or the function differs', () => {
    assert.notEqual(keyOf(node('a')), keyOf(node('a').replace('no number', 'no owner')))
    assert.notEqual(keyOf(node('a')), keyOf(node('a').replace('charge', 'refund')))
  })
})

describe('a failure that names a lost machine', () => {
  const isLost = (message: string, type: string | null = null) => isMachineFailure({ type, message, details: null })

  it('names a device, a host that is not found, a browser or a full disk', () => {
    assert.ok(isLost('error: device offline'))
    assert.ok(isLost('getaddrinfo ENOTFOUND bank.example'))
    assert.ok(isLost('bank.example: nodename nor servname provided', 'java.net.UnknownHostException'))
    assert.ok(isLost('page.goto: net::ERR_NAME_NOT_RESOLVED at http://bank.example/'))
    assert.ok(isLost('ENOSPC: no space left on device, write'))
  })

  it('is not an assertion that compares such words, nor a refused connection or a broken fixture', () => {
    assert.ok(!isLost("expect(received).toBe(expected)\nExpected: 'ENOTFOUND'"))
    assert.ok(!isLost("'ENOTFOUND' == 'EACCES'", 'AssertionError'))
    assert.ok(!isLost('connect ECONNREFUSED 127.0.0.1:8080'))
    assert.ok(!isLost('the fixture is gone'))
  })
})
