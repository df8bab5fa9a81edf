import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { suite, testcase } from '../test/read-upload.ts'
import { openTemporaryFolder } from '../test/temporary-folder.ts'

it('runs the example of the README with the documented output', () => {
  using folder = openTemporaryFolder()
  const readme = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8')
  const [, example = '', printed = ''] = /```ts\n(.*?)```.*?```\n(.*?)```/s.exec(readme) ?? []
  const entry = new URL('index.ts', import.meta.url).href
  const program = folder.write('example.mts', example.replace("'@fairlead/reports'", JSON.stringify(entry)))
  const failure = '<failure message="expected 2, got 1">at shop.CartTest.adds(CartTest.kt:12)</failure>'
  const flaky = '<flakyFailure message="timed out"/>'
  folder.write('report.xml', suite(testcase('removes', flaky) + testcase('adds', failure)))
  assert.equal(execFileSync(process.execPath, [program], { cwd: folder.path, encoding: 'utf8' }), printed)
  assert.ok(printed.includes('CartTest.kt:12'))
})
