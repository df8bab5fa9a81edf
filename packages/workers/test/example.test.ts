import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

test('the example in the README matches its two files and prints the expected output', () => {
  const readme = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8')
  const path = join(import.meta.dirname, 'example.ts')
  for (const file of ['example.ts', 'example-worker.ts']) {
    assert.ok(readme.includes(readFileSync(join(import.meta.dirname, file), 'utf8')), file)
  }
  const { stdout, stderr } = spawnSync(process.execPath, [path], { encoding: 'utf8', timeout: 120_000 })
  assert.equal(stderr, '')
  assert.equal(stdout, '3\nThe text was not read: out-of-memory.\n0\n')
  assert.ok(readme.includes(stdout))
})
