import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { chromiumPath, skipWithout } from './required-tool.ts'

const run = promisify(execFile)
const examples = join(import.meta.dirname, 'examples')
const require = createRequire(import.meta.url)

/** Finds the executable script of an installed tool. */
function findProgram(name: string, path: string): string {
  return join(dirname(require.resolve(`${name}/package.json`)), path)
}

/** Removes the variable that marks a child process of node:test. */
const { NODE_TEST_CONTEXT: _context, ...env } = process.env

test('the Vitest example passes', async () => {
  const arguments_ = [findProgram('vitest', 'vitest.mjs'), 'run', '--config', join(examples, 'vitest.config.ts')]
  const { stdout } = await run(process.execPath, arguments_, { cwd: examples, env: { ...env, NO_COLOR: '1' } })
  assert.match(stdout, /Tests +2 passed/)
})

test('the Playwright Test example passes', { skip: skipWithout(chromiumPath) }, async () => {
  const arguments_ = [
    findProgram('@playwright/test', 'cli.js'),
    'test',
    '--config',
    join(examples, 'playwright.config.ts'),
  ]
  const { stdout } = await run(process.execPath, arguments_, { cwd: examples, env })
  assert.match(stdout, /2 passed/)
})

test('the README shows the examples that the tests run', () => {
  const readme = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8')
  for (const name of ['cart-messages.ts', 'cart-app.ts', 'cart.test.ts', 'page-fixture.ts']) {
    assert.ok(
      readme.includes(readFileSync(join(examples, name), 'utf8').trim()),
      `${name} is not as it is in the README`,
    )
  }
})
