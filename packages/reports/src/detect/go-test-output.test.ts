import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readArchive, readUpload, suite, testcase } from '../../test/read-upload.ts'

const good = suite(testcase('one') + testcase('two', '<failure message="m"/>'))

describe('the output of go test -json', () => {
  it('is refused by its name, with and without times in its events', async () => {
    for (const event of [
      { Time: '2026-11-23T09:00:00Z', Action: 'run', Package: 'shop', Test: 'TestPay' },
      { Action: 'start', Package: 'shop' },
      { Action: 'run', Test: 'TestPay' },
      { ImportPath: 'shop [shop.test]', Action: 'build-output', Output: '# shop' },
    ]) {
      const text = `${JSON.stringify(event)}\n${JSON.stringify(event)}\n`
      await assert.rejects(readUpload(text), { code: 'unsupported-report', message: /go test -json.*gotestsum/ })
    }
  })

  it('is named after other lines as well, and in an archive beside other reports', async () => {
    const event = { Time: '2026-11-23T09:00:00Z', Action: 'run', Package: 'shop', Test: 'TestPay' }
    const line = JSON.stringify(event)
    for (const text of [
      `go: downloading example.org/cart v1.2.0\n${line}\n`,
      `# shop/cart\n./cart.go:7:2: undefined: price\n${line}\n`,
      `${JSON.stringify({ ImportPath: 'shop [shop.test]', Action: 'build-fail' })}\n`,
      `${JSON.stringify({ Time: event.Time, Action: 'pass', Elapsed: 0.1, Package: 'shop' })}\n`,
      `${line.replaceAll(/([,:])"/g, '$1 "')}\n${line.replaceAll(/([,:])"/g, '$1 "')}\n`,
    ]) {
      await assert.rejects(readUpload(text), { code: 'unsupported-report', message: /gotestsum/ }, text)
      await assert.rejects(readArchive({ 'go.json': text }), { code: 'unsupported-report', message: /gotestsum/ }, text)
      const { warnings } = await readArchive({ 'a.xml': good, 'go.json': text })
      assert.deepEqual(
        warnings.map(({ code, file }) => [code, file]),
        [['unsupportedReport', 'go.json']],
        text,
      )
    }
  })

  it('is not seen in a report that carries such a line', async () => {
    const extra = JSON.stringify({ Action: 'fail', Package: 'shop' })
    const text = `{"results":{"tool":{"name":"x"},"tests":[{"name":"a","status":"passed","extra":\n${extra}\n}]}}`
    const { counts, warnings } = await readArchive({ 'ctrf.json': text })
    assert.deepEqual([counts.cases, warnings], [1, []])
  })
})

describe('the output of go test for people', () => {
  const outputs = {
    'with -v': '=== RUN   TestTax\n    cart_test.go:4: tax is 2\n--- FAIL: TestTax (0.00s)\nFAIL\nFAIL\tshop\t0.131s\n',
    'without -v': '--- FAIL: TestTax (0.00s)\n    cart_test.go:4: tax is 2\nFAIL\nFAIL\tshop\t0.008s\nFAIL\n',
    'that passed': 'ok  \tshop\t0.003s\n?   \tshop/rates\t[no test files]\nok  \tshop/cart\t(cached)\n',
    'of Windows after other lines': 'go: downloading x v1\r\n=== RUN   TestTax\r\n--- PASS: TestTax (0.00s)\r\n',
  }

  for (const [name, text] of Object.entries(outputs)) {
    it(`is refused by its name, alone and in an archive: ${name}`, async () => {
      const refused = { code: 'unsupported-report', message: /"go test".*gotestsum.*go-junit-report/ }
      await assert.rejects(readUpload(text), refused)
      await assert.rejects(readArchive({ 'go.txt': text }), refused)
      const { counts, warnings } = await readArchive({ 'a.xml': good, 'go.txt': text })
      assert.deepEqual([counts.cases, warnings.map(({ code }) => code)], [2, ['unsupportedReport']])
    })
  }

  it('is not seen in a log that only mentions such lines', async () => {
    const text = 'The job said: === RUN   TestTax\n--- FAIL: it\nok then\n'
    await assert.rejects(readUpload(text), { code: 'not-a-report' })
    assert.deepEqual((await readArchive({ 'a.xml': good, 'log.txt': text })).warnings, [])
  })
})
