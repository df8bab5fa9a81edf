import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { toFailureGroupKey } from './group-key.ts'
import { isMachineFailure } from './lost-machine.ts'
import { toProductKey } from './product-frames.ts'
import { toSaid } from './said.ts'

const go = (...lines: string[]) =>
  toSaid({ message: 'Failed', details: `=== RUN   TestTax\n${lines.join('\n')}\n--- FAIL: TestTax (0.00s)\n` })

describe('what a failure says', () => {
  it('is its message, unless that is the same for every failure', () => {
    assert.equal(toSaid({ message: 'expected 3', details: 'Error: expected 3\n at x' }), 'expected 3')
    assert.equal(toSaid({ message: 'Failed', details: null }), 'Failed')
    assert.equal(toSaid({ message: 'Failed', details: 'the tax is 2' }), 'the tax is 2')
    assert.equal(toSaid({ message: null, details: '\nthe tax is 2\nmore' }), 'the tax is 2')
    assert.equal(toSaid({ message: 'Failed to pay', details: 'a\nb' }), 'Failed to pay')
  })

  it('tells apart errors that a tool quotes as a whole', () => {
    // As pytest, Jest, Mocha, GoogleTest and XCTest write them.
    const messages: ((error: string) => string)[] = [
      (error) => `failed on setup with "${error}"`,
      (error) => `failed on teardown with "${error}"`,
      (error) => `Error: thrown: "${error}"`,
      (error) => `the string "${error}" was thrown, throw an Error :)`,
      (error) => `unknown file\nC++ exception with description "${error}" thrown in the test body.`,
      (error) => `failed: caught error: "${error}"`,
      (error) => `failed: caught "NSInvalidArgumentException", "${error}"`,
      (error) => `XCTAssertNoThrow failed: threw error "${error}"`,
      (error) => `KeyError: '${error}'`,
      (error) => `"${error}"`,
    ]
    const keyOf = (message: string) =>
      toFailureGroupKey({ type: null, message: toSaid({ message, details: null }), details: null }).key
    for (const write of messages) {
      assert.notEqual(keyOf(write('no database')), keyOf(write('no printer')), write('…'))
      assert.equal(keyOf(write('no database 17')), keyOf(write('no database 18')), write('…'))
    }
    assert.equal(keyOf("expected 'a' to be 'b'"), keyOf("expected 'a' to be 'c'"))
    assert.equal(keyOf("Error: no user 'ann'"), keyOf("Error: no user 'bob'"))
  })

  it('searches a quotation without an end once', () => {
    const marks = ['"', "'", 'C++ exception with description "', 'threw error "', 'the a "', 'thrown: "']
    for (const mark of marks) assert.notEqual(toSaid({ message: mark.repeat(2 ** 16), details: null }), null)
  })

  it('is the last line of a Go test that has a place, with those below it, or its panic', () => {
    assert.equal(go('    cart_test.go:4: tax is 2, want 3'), 'tax is 2, want 3')
    assert.equal(
      go('    cart_test.go:3: began', '    cart_test.go:9: basket is', '        empty'),
      'basket is\n        empty',
    )
    assert.equal(
      go('    cart_test.go:3: began', 'panic: no card [recovered]', '\tpanic: no card'),
      'panic: no card [recovered]',
    )
    assert.equal(
      go(
        '    cart_test.go:12: ',
        '\tError Trace:\t/ci/7/cart_test.go:12',
        '\tError:  \tShould be true',
        '\tTest: \tTestTax',
      ),
      'Error:  \tShould be true',
    )
    assert.equal(go(), 'Failed')
  })

  it('is the error and not the title of the test, as earlier versions of Playwright wrote it', () => {
    const details =
      '  [desktop] › cart.spec.ts:11:3 › cart › rounds the tax ───\n\n    Error: page.goto: net::ERR_ABORTED\n'
    assert.equal(toSaid({ message: 'cart.spec.ts:11:3 rounds the tax', details }), 'Error: page.goto: net::ERR_ABORTED')
  })

  it('tells the failures of one Go test apart, finds lost networks, and names the functions of a panic', () => {
    const keyOf = (message: string | null) => toFailureGroupKey({ type: '', message, details: null }).key
    assert.notEqual(keyOf(go('    cart_test.go:4: tax is 2')), keyOf(go('    cart_test.go:9: no basket')))
    assert.equal(keyOf(go('    cart_test.go:4: tax is 2')), keyOf(go('    cart_test.go:5: tax is 7')))
    const lost = go('    cart_test.go:5: dial tcp: lookup bank.example on 10.0.0.2:53: no such host')
    assert.ok(isMachineFailure({ type: '', message: lost, details: null }))
    const panic = (test: string) => {
      const details = [
        'panic: no card [recovered]',
        '',
        'goroutine 14 [running]:',
        'testing.tRunner.func1.2({0x546480, 0x66cff0})',
        '\t/usr/lib/go-1.19/src/testing/testing.go:1396 +0x24e',
        'panic({0x546480, 0x66cff0})',
        '\t/usr/lib/go-1.19/src/runtime/panic.go:884 +0x212',
        'example.org/shop/cart.(*Card).charge(...)',
        '\t/ci/7/cart/card.go:10',
        `example.org/shop/cart.${test}(0xc00011f1e0?)`,
        '\t/ci/7/cart/cart_test.go:12 +0x2',
      ].join('\n')
      return toProductKey(
        { type: '', message: toSaid({ message: 'Failed', details }), details },
        { className: 'cart', file: null },
      )
    }
    assert.equal(panic('TestBills'), panic('TestRefunds'))
    assert.notEqual(panic('TestBills'), null)
  })
})
