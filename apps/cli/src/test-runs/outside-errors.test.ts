import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { describe, it } from 'node:test'
import { watchOutput } from './outside-errors.ts'

/** What is found in an output that comes in pieces of some size. */
function find(output: string, size = Buffer.byteLength(output)): string | null {
  const watch = watchOutput()
  const target = new Writable({ write: (_chunk, _encoding, done) => done() })
  const bytes = Buffer.from(output)
  for (let start = 0; start < bytes.length; start += size) watch.write(bytes.subarray(start, start + size), target)
  return watch.found
}

/** What node:test prints at its end. */
const nodeSummary = (failed: number, cancelled: number, names: string[]) =>
  [
    `ℹ tests 11\nℹ pass 9\nℹ fail ${failed}\nℹ cancelled ${cancelled}\nℹ skipped 1\n\n✖ failing tests:\n\n`,
    ...names.map((name, line) => `test at shop.test.js:${line}:3\n✖ ${name} (34.7ms)\n  Error: no paper\n\n`),
  ].join('')

const errors = {
  'the global tear-down of Jest':
    'Error: Jest: Got error running globalTeardown - /shop/stop.js, reason: cannot stop the database\n',
  'the global tear-down of Vitest': 'JUNIT report written to x\nerror during close Error: cannot stop the database\n',
  'a file that WebdriverIO cannot load':
    '[0-0] ERROR @wdio/runner: Error: Unable to load spec files quite likely because they rely on `browser` object\n',
  'the last hook of WebdriverIO': 'ERROR @wdio/cli:utils: Error in onCompleteHook: Error: cannot stop the database\n',
  'a killed worker of WebdriverIO':
    'ERROR @wdio/local-runner: Runner 0-1 was terminated by SIGKILL and did not report an exit code.\n',
  'what failed around a suite of GoogleTest':
    '[  FAILED  ] Shop: SetUpTestSuite or TearDownTestSuite\n\n 1 FAILED TEST SUITE\n',
  'a failed hook of a suite in node:test': nodeSummary(1, 0, ['pays', 'the suite']),
  'the coverage threshold of Jest': 'Jest: Coverage for statements (40%) does not meet "global" threshold (95%)\n',
  'the coverage threshold of Vitest': 'ERROR: Coverage for lines (50%) does not meet global threshold (80%)\n',
  'the coverage threshold of node:test': 'Error: 62.50% line coverage does not meet threshold of 99%.\n',
  'the coverage threshold of pytest': 'FAIL Required test coverage of 80% not reached. Total coverage: 50.00%\n',
  'the tests that Playwright did not run': '  1 failed\n    a.spec.js:3:1 › s › pays ───\n  1 did not run\n',
  'the tests that bail of Vitest left out':
    ' Test Files  1 failed (2)\n      Tests  1 failed | 3 passed (7)\n   Start at\n',
  'another task of Gradle': "Execution failed for task ':app:lintDebug'.\n> Lint found errors in the project\n",
  'another goal of Maven':
    'Failed to execute goal org.apache.maven.plugins:maven-checkstyle-plugin:3.3.1:check (check) on project shop\n',
}
const usual = {
  'the failed tests of GoogleTest': '[  FAILED  ] 1 test, listed below:\n[  FAILED  ] Shop.Pays\n\n 1 FAILED TEST\n',
  'the failed tests of node:test': nodeSummary(2, 1, ['pays', 'prints', 'left out']),
  'the failed tests of node:test, run twice': nodeSummary(1, 0, ['pays']) + nodeSummary(1, 0, ['prints']),
  'the coverage of Jest':
    'All files |      40 |       50 |      50 |     100 |\nTests:       1 failed, 1 passed, 2 total\n',
  'the summary of Playwright':
    '  1 failed\n    a.spec.js:3:1 › s › the job that did not run ───\n  2 skipped\n  4 passed (2.1s)\n',
  'the summary of Vitest': '      Tests  1 failed | 3 passed | 2 skipped | 1 todo (7)\n',
  'failed tests in Gradle':
    "Execution failed for task ':app:test'.\n> There were failing tests. See the report at: x\n",
  'failed tests in Maven':
    'Failed to execute goal org.apache.maven.plugins:maven-surefire-plugin:3.2.5:test (default-test) on project shop\n',
}

describe('the output of a test command', () => {
  for (const [name, output] of Object.entries(errors)) {
    it(`names ${name} as an error outside of tests, also in pieces`, () => {
      assert.notEqual(find(output), null)
      for (const size of [1, 7, 40]) assert.notEqual(find(output, size), null, `pieces of ${size}`)
    })
  }
  for (const [name, output] of Object.entries(usual)) {
    it(`names no error in ${name}, also in pieces`, () => {
      assert.equal(find(output), null)
      for (const size of [1, 7, 40]) assert.equal(find(output, size), null, `pieces of ${size}`)
    })
  }
})
