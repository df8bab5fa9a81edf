import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { toFailureGroupKey } from './group-key.ts'

const equality = 'Expected equality of these values:\n  add(1, 1)\n    Which is: 3\n  2\n'
const read = (message: string) => toFailureGroupKey({ type: '', message, details: message })

describe('the title of a failure of GoogleTest', () => {
  it('is what was expected, and not the file and line where it was', () => {
    assert.equal(
      read(`/home/ci/job-17/tests/cart_test.cc:12\n${equality}`).title,
      'Expected equality of these values: add(1, 1) Which is: 3 2',
    )
    assert.equal(
      read('C:\\ci\\cart_test.cpp(12): \nValue of: cart.empty()\n  Actual: true\nExpected: false').title,
      'Value of: cart.empty()',
    )
    assert.equal(
      read('unknown file\nC++ exception with description "no cart" thrown in the test body.').title,
      'C++ exception with description "no cart" thrown in the test body.',
    )
  })

  it('and its group are the same in another folder and at another line, and not for another expectation', () => {
    const keys = ['/home/ci/job-17/cart_test.cc:12', '/builds/9/cart_test.cc:40'].map((place) => {
      return read(`${place}\n${equality}`).key
    })
    assert.equal(keys[0], keys[1])
    assert.notEqual(read(`cart_test.cc:12\n${equality.replace('add(1, 1)', 'sum()')}`).key, keys[0])
  })

  it('of other frameworks is the first line as before', () => {
    assert.equal(read('expected 1 but was 2\nmore').title, 'expected 1 but was 2')
    assert.equal(read('cart_test.cc:12').title, 'cart_test.cc:12')
    assert.equal(read('').title, 'Failed without a message')
  })
})

describe('the group of a failed assertion', () => {
  it('is another one for another assertion of its line, and the same where that line is elsewhere', () => {
    const message = 'expect(received).toBe(expected) // Object.is equality'
    // As Playwright writes them.
    const keyOf = (number: number, indented: string, column: number) => {
      const source = `${indented}expect.soft(sum).toBe(2); expect.soft(name).toBe('b')`
      const mark = `       |${' '.repeat(1 + indented.length + column)}^`
      const excerpt = `    > ${number} | ${source}\n${mark}\n       at /ci/cart.spec.js:${number}:20`
      const details = `Error: ${message}\n\n${excerpt}`
      return toFailureGroupKey({ type: 'expect.toBe', message, details }).key
    }
    assert.notEqual(keyOf(7, '', 17), keyOf(7, '', 43))
    assert.equal(keyOf(7, '', 43), keyOf(9, '  ', 43))
  })

  it('is found without delay in a text of empty lines alone', () => {
    const details = `AssertionError: expect(received)\n${'\n'.repeat(64_000)}`
    const message = `expected${'\n'.repeat(16_000)}`
    const before = process.cpuUsage()
    for (let count = 0; count < 20; count++) toFailureGroupKey({ type: 'AssertionError', message, details })
    // Processor time, because on a busy machine the clock also counts what other processes do.
    assert.ok(process.cpuUsage(before).user < 1_000_000, 'a hostile text takes no time')
  })
})
