/**
 * `npm test`: every check and every test, then one line `N passed, N failed`.
 * Arguments are globs of test files, for a part of it: `npm test -- 'packages/binary/**'`.
 */
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { runChecks } from './check.ts'

const root = join(import.meta.dirname, '..')
const everything = [
  'packages/*/{src,test}/**/*.test.ts',
  'apps/*/src/**/*.test.ts',
  'scripts/**/*.test.ts',
  'test/**/*.test.ts',
]

interface Count {
  passed: number
  failed: number
}

/** Runs test files in processes of their own, two at a time, and counts the leaves. */
async function runTests(patterns: string[]): Promise<Count> {
  const files = patterns.flatMap((pattern) => globSync(pattern, { cwd: root })).map((file) => join(root, file))
  const count = { passed: 0, failed: 0 }
  if (files.length === 0) return count
  const stream = run({ files, concurrency: 2, timeout: 300_000 })
  stream.on('test:pass', (event) => {
    if (event.details.type !== 'suite' && event.skip === undefined) count.passed++
  })
  stream.on('test:fail', (event) => {
    if (event.details.type !== 'suite') count.failed++
  })
  for await (const line of stream.compose(spec)) process.stdout.write(String(line))
  return count
}

const patterns = process.argv.slice(2)
const counts = patterns.length > 0 ? [await runTests(patterns)] : [runChecks(), await runTests(everything)]
const passed = counts.reduce((sum, count) => sum + count.passed, 0)
const failed = counts.reduce((sum, count) => sum + count.failed, 0)
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
