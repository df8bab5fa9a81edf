import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { TestResult } from '@fairlead/contract'
import { startServer } from '../testing/start-server.ts'
import { completeRun, type ReportOptions, uploadReport } from '../testing/test-reports.ts'
import { createApplication } from '../testing/upload.ts'

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll('\n', '&#10;')

/** A failure as a report has it: its message, its text and its type. */
const failure = (message: string, text = '', type = '') =>
  `<failure message="${escape(message)}" type="${type}">${escape(text)}</failure>`

/** A test `x` for each list of failures. */
const suite = (...cases: string[][]) => {
  const rows = cases.map((failures) => `<testcase classname="shop.Cart" name="x">${failures.join('')}</testcase>`)
  return `<testsuite name="shop">${rows.join('\n')}</testsuite>`
}

/** What GoogleTest writes for an expectation that was not met. */
const expectation = (line: number, expression: string, values: [number, number]) => {
  const words = `Expected equality of these values:\n  ${expression}\n    Which is: ${values[0]}\n  ${values[1]}`
  return failure(`cart_test.cc:${line}\n${words}`, `cart_test.cc:${line}\n${words}\n`)
}

/** What JUnit 5 writes for `assertEquals`. */
const assertEquals = (line: number, expected: number, actual: number) => {
  const type = 'org.opentest4j.AssertionFailedError'
  const message = `expected: <${expected}> but was: <${actual}>`
  const own = `at shop.Cart.x(Cart.java:${line})`
  const frames = `at org.junit.jupiter.api.Assertions.assertEquals(Assertions.java:150)\n\t${own}`
  return failure(message, `${type}: ${message}\n\t${frames}\n`, type)
}

/** What pytest writes for `assert`, in its long and in its short form. */
const assertInPython = (line: number, source: string, words: string) =>
  failure(
    `AssertionError: ${words}`,
    `    def test_x():\n        cart = Cart()\n>       ${source}\nE       ${words}\n\n` +
      `test_cart.py:${line}: AssertionError`,
  )
const assertInShort = (line: number, source: string, words: string) =>
  failure(`AssertionError: ${words}`, `test_cart.py:${line}: in test_x\n    ${source}\nE   ${words}`)

/** What Playwright writes for expectations that do not end a test, here for two attempts. */
const writeSoftly = (message: string, type: string, lines: [number, string][]) => {
  const words = 'expect(received).toBe(expected) // Object.is equality'
  const errors = lines.map(
    ([line, source]) =>
      `    Error: ${words}\n\n    Expected: 4\n    Received: ${line}\n\n` +
      `      ${line - 1} |   // before\n    > ${line} |   ${source}\n        |      ^\n` +
      `        at /ci/cart.spec.js:${line}:18\n`,
  )
  const text = `  cart.spec.js:2:1 › cart ────\n\n${errors.join('\n')}\n    Retry #1 ────\n\n${errors.join('\n')}`
  return failure(message, text, type)
}
const softly = (...lines: [number, string][]) =>
  writeSoftly('expect(received).toBe(expected) // Object.is equality', 'expect.toBe', lines)
/** The same as earlier versions write it. */
const softlyBefore = (...lines: [number, string][]) => writeSoftly('cart.spec.js:2:1 cart', 'FAILURE', lines)

describe('a failure of a test that failed before', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())
  let count = 0

  /** Plays runs of main, then one of a branch, and returns the classes of its failures by case. */
  const play = async (before: string[], last: string, options: ReportOptions[] = []): Promise<(string | null)[]> => {
    const alias = `same-${++count}`
    await createApplication(server, alias)
    let id = 0
    for (const [index, report] of [...before, last].entries()) {
      const branch = index < before.length ? 'main' : 'topic'
      const names = { alias, branch, commit: `c${index}`, key: `k${index}`, ...options[index] }
      id = (await uploadReport(server, report, names)).run.id
      await completeRun(server, id)
    }
    const { json } = await server.call('GET', `/v1/testRuns/${id}/results?outcome=failed`)
    return json.map(({ classification }: TestResult) => classification)
  }

  it('is new when another expectation of the test is not met either', async () => {
    const [old, other] = [expectation(12, 'Tax(cart)', [3, 2]), expectation(13, 'Size(cart)', [1, 2])]
    const moved = [expectation(20, 'Tax(cart)', [3, 2]), expectation(21, 'Size(cart)', [1, 2])]
    assert.deepEqual(await play([suite([old])], suite([old, other])), ['new'])
    assert.deepEqual(await play([suite([old])], suite([other, old])), ['new'])
    assert.deepEqual(await play([suite([old, other])], suite(moved)), ['known'])
    assert.deepEqual(await play([suite([old, other])], suite([other])), ['known'])
    assert.deepEqual(await play([suite([old, other])], suite([old])), ['known'])
  })

  it('is new when another soft expectation of Playwright is not met either', async () => {
    for (const write of [softly, softlyBefore]) {
      const [old, other] = [write([3, 'soft(tax)']), write([3, 'soft(tax)'], [5, 'soft(size)'])]
      const before = write([2, 'soft(size)'], [3, 'soft(tax)'])
      assert.deepEqual(await play([suite([old])], suite([other])), ['new'])
      assert.deepEqual(await play([suite([old])], suite([before])), ['new'])
      assert.deepEqual(await play([suite([other])], suite([before])), ['known'])
      assert.deepEqual(await play([suite([other])], suite([old])), ['known'])
      assert.deepEqual(await play([suite([other])], suite([write([7, 'soft(size)'])])), ['known'])
      assert.deepEqual(await play([suite([old])], suite([write([3, 'soft(tax)'], [9, 'soft(tax)'])])), ['known'])
    }
  })

  it('is new when it is of another case of the same name', async () => {
    const old = assertEquals(12, 3, 4)
    assert.deepEqual(await play([suite([old], [], [])], suite([old], [], [assertEquals(12, 10, 12)])), ['known', 'new'])
    assert.deepEqual(await play([suite([old], [], [])], suite([], [], [assertEquals(12, 10, 12)])), ['new'])
    assert.deepEqual(await play([suite([old], [], [])], suite([old], [], [old])), ['known', 'new'])
    // The jobs of a run send their reports in any order.
    assert.deepEqual(await play([suite([old], [], [])], suite([], [assertEquals(12, 3, 5)], [])), ['known'])
  })

  it('is new when the same words come from another line, with other values', async () => {
    const old = assertEquals(12, 3, 4)
    assert.deepEqual(await play([suite([old])], suite([assertEquals(14, 20, 22)])), ['new'])
    assert.deepEqual(await play([suite([old])], suite([assertEquals(14, 3, 5)])), ['known'])
    assert.deepEqual(await play([suite([old])], suite([assertEquals(12, 20, 22)])), ['known'])
    const [tax, size] = [expectation(12, 'Tax(10)', [3, 2]), expectation(13, 'Tax(20)', [5, 4])]
    assert.deepEqual(await play([suite([tax])], suite([size])), ['new'])
  })

  it('of pytest is told from others by its line of source', async () => {
    for (const write of [assertInPython, assertInShort]) {
      const old = write(12, 'assert tax == 2', 'assert 3 == 2')
      assert.deepEqual(await play([suite([old])], suite([write(13, 'assert size == 2', 'assert 3 == 2')])), ['new'])
      assert.deepEqual(await play([suite([old])], suite([write(40, 'assert tax == 2', 'assert 7 == 2')])), ['known'])
    }
    const raises = (line: number, source: string) =>
      failure(
        `Failed: DID NOT RAISE <class 'ValueError'>`,
        `    def test_x():\n>       with pytest.raises(ValueError):\n` +
          `            ${source}\nE       Failed: DID NOT RAISE <class 'ValueError'>\n\ntest_cart.py:${line}: Failed`,
      )
    assert.deepEqual(await play([suite([raises(3, 'pay()')])], suite([raises(9, 'pay()')])), ['known'])
  })

  it('of a flaky test is flaky in the assertion that flipped only', async () => {
    const late = assertEquals(12, 3, 4)
    const flips = [suite([late]), suite([]), suite([late]), suite([])]
    const commits = [{ commit: 'a' }, { commit: 'a' }, { commit: 'b' }, { commit: 'b' }]
    assert.deepEqual(await play(flips, suite([assertEquals(19, 3, 9)]), commits), ['flaky'])
    assert.deepEqual(await play(flips, suite([assertEquals(14, 20, 22)]), commits), ['new'])
    const other = expectation(13, 'Size(cart)', [1, 2])
    assert.deepEqual(await play(flips, suite([late, other]), commits), ['new'])
  })

  it('is matched without delay among thousands of one name', async () => {
    const cases = (first: number) => Array.from({ length: 4000 }, (_, index) => [assertEquals(12, first, index)])
    const before = process.cpuUsage()
    const classes = await play([suite(...cases(1))], suite(...cases(2)))
    assert.equal(classes.length, 4000)
    assert.ok(process.cpuUsage(before).user < 60_000_000)
  })
})
