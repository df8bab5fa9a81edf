import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { runTestJob } from './run-test-job.ts'

describe('a job of test files', () => {
  // The variable says that this process is part of a test run, in which Node starts no other.
  delete process.env.NODE_TEST_CONTEXT
  const root = mkdtempSync(join(tmpdir(), 'fairlead-job-'))
  after(() => rmSync(root, { recursive: true, force: true }))

  const printed: string[] = []
  const write = (name: string, lines: string) => {
    const header =
      "import { after, describe, it } from 'node:test'\nimport { writeFileSync, readFileSync } from 'node:fs'"
    writeFileSync(join(root, name), `${header}\n${lines}\n`)
    return name
  }
  const run = (files: string[], names: string[] = []) => {
    // What these files print would look like failures of the suite.
    const print = (text: string) => void printed.push(text)
    return runTestJob({ files, name: files.join(), env: process.env }, { root, names, timeoutMs: 60_000, print })
  }
  const good = write('good.test.mjs', "describe('a', () => { it('b', () => {}); it.skip('c', () => {}) })")
  const bad = write('bad.test.mjs', "it('fails', () => { throw new Error('the cause') })")

  it('counts tests without suites and skipped ones, and measures', async () => {
    const { passed, failures, cpuSeconds } = await run([good])
    assert.deepEqual({ passed, failures }, { passed: 1, failures: [] })
    assert.ok(cpuSeconds !== undefined && cpuSeconds > 0)
  })

  it('runs the tests whose full names match a pattern, and counts no file without one', async () => {
    assert.equal((await run([good], ['^a b$'])).passed, 1)
    assert.equal((await run([good], ['d'])).passed, 0)
  })

  it('ends although a suite that the pattern leaves out keeps what it opened', async () => {
    const opening = write(
      'opening.test.mjs',
      `describe('a', () => {
        const timer = setInterval(() => {}, 1000)
        after(() => clearInterval(timer))
        it('b', () => {})
      })
      describe('c', () => { it('d', () => {}) })`,
    )
    const { passed, failures } = await run([opening], ['^c d$'])
    assert.deepEqual({ passed, failures }, { passed: 1, failures: [] })
  })

  it('runs several files in one process, each after the hooks of the one before it', async () => {
    const first = write(
      'first.test.mjs',
      `describe('first', () => {
      it('runs', () => {}); after(() => writeFileSync('${join(root, 'ended')}', String(process.pid))) })`,
    )
    const second = write(
      'second.test.mjs',
      `it('runs later', () => {
        const pid = readFileSync('${join(root, 'ended')}', 'utf8')
        if (pid !== String(process.pid)) throw new Error('another process')
      })`,
    )
    const { passed, failures } = await run([first, second, good])
    assert.deepEqual({ passed, failures }, { passed: 3, failures: [] })
  })

  it('names each failure with its cause, and goes on with the next file', async () => {
    const { passed, failures } = await run([bad, good])
    assert.equal(passed, 1)
    assert.equal(failures.length, 1)
    assert.match(
      printed.at(-1) ?? '',
      /^\n# bad\.test\.mjs,good\.test\.mjs \(\d+\.\d s, \d+\.\d s of processor time\)\n\n✖ fails/,
    )
    assert.match(failures[0] ?? '', /fails \(.*bad\.test\.mjs:\d+\)\n[^]*the cause/)
  })

  it('fails when a file ends the process, so that no later file is left out unseen', async () => {
    const ending = write('ending.test.mjs', "it('ends', () => process.exit(0))")
    assert.match((await run([ending, good])).failures.join(), /the process ended in ending\.test\.mjs/)
    const broken = write('broken.test.mjs', "throw new Error('broken from the start')")
    assert.match((await run([broken, good])).failures.join(), /the process ended in broken\.test\.mjs/)
  })
})
