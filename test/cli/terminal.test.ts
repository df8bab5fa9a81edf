import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { token } from '../processes/server-process.ts'
import { type Desk, openDesk } from './fairlead.ts'

const run = promisify(execFile)
const program = join(import.meta.dirname, '../../apps/cli/src/bin.ts')

describe('the command line in a terminal', { timeout: 300_000 }, () => {
  let desk: Desk
  before(async () => {
    desk = await openDesk()
    await desk.json('apps', 'create', 'shop', '--platform', 'android', '--name', 'The shop at the corner')
    await desk.json('apps', 'create', 'shop-ios', '--platform', 'ios')
  })
  after(() => desk[Symbol.asyncDispose]())

  it('shows tables as wide as the terminal, and rows as blocks of lines in one of 40 columns', async () => {
    const env = { PATH: process.env['PATH'], FAIRLEAD_URL: desk.server.url, FAIRLEAD_TOKEN: token, NO_COLOR: '1' }
    // `script` of util-linux opens a pseudo-terminal.
    const show = async (columns: number) => {
      const command = `stty cols ${columns} rows 30; exec '${process.execPath}' '${program}' apps list`
      const { stdout } = await run('script', ['--quiet', '--return', '--command', command, '/dev/null'], { env })
      return stdout.replaceAll('\r', '').trimEnd().split('\n')
    }
    const wide = await show(120)
    assert.match(wide[0] ?? '', /^ALIAS +NAME +PLATFORM/)
    assert.equal(wide.length, 3)
    const narrow = await show(40)
    assert.deepEqual(
      narrow.filter((line) => line.length > 40),
      [],
    )
    assert.ok(narrow.includes('NAME      The shop at the corner'), narrow.join('\n'))
    assert.ok(narrow.includes(''), 'an empty line stands between rows')
  })

  it('completes the aliases of applications, and nothing without a server', async () => {
    const complete = (env: Record<string, string> = {}) =>
      desk.fairlead(['__complete', 'builds', 'list', '--app', 'shop-'], { env })
    assert.equal((await complete()).stdout, 'shop-ios\n')
    const away = await complete({ FAIRLEAD_URL: 'http://127.0.0.1:1' })
    assert.deepEqual([away.code, away.stdout, away.stderr], [0, '', ''])
  })

  it('writes a completion script for each shell', async () => {
    for (const shell of ['bash', 'zsh', 'fish', 'powershell']) {
      const { code, stdout } = await desk.fairlead(['completion', shell])
      assert.deepEqual([code, stdout.includes('fairlead __complete')], [0, true], shell)
    }
    assert.equal((await desk.fairlead(['completion', 'tcsh'])).code, 2)
  })
})
