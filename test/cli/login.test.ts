import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { token } from '../processes/server-process.ts'
import { type Desk, openDesk } from './fairlead.ts'
import { readJson } from '../../scripts/read-json.ts'

const program = join(import.meta.dirname, '../../apps/cli/src/bin.ts')

/** The texts of prompts, each with the answer that a person types when the terminal shows it. */
type Dialogue = [shown: RegExp, typed: string][]

describe('fairlead login', { timeout: 300_000 }, () => {
  let desk: Desk
  const nothingSet = { FAIRLEAD_URL: '', FAIRLEAD_TOKEN: '' }
  before(async () => {
    desk = await openDesk()
  })
  after(() => desk[Symbol.asyncDispose]())

  /** Runs the command in a pseudo-terminal, which `script` of util-linux opens. */
  async function inTerminal(args: string[], dialogue: Dialogue): Promise<{ code: number | null; screen: string }> {
    const words = [process.execPath, program, ...args].map((word) => `'${word}'`).join(' ')
    // A new pseudo-terminal has no size, and prompts are wrapped to the width.
    const command = `stty cols 100 rows 30; exec ${words}`
    const env = { PATH: process.env.PATH, TERM: 'xterm-256color', FAIRLEAD_CONFIG_DIR: join(desk.folder, '.config') }
    const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], { env, stdio: 'pipe' })
    let screen = ''
    const left = [...dialogue]
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      screen += text
      const [next] = left
      if (!next?.[0].test(screen)) return
      left.shift()
      child.stdin.write(next[1])
    })
    await once(child, 'close')
    return { code: child.exitCode, screen }
  }

  it('asks for server and token in a terminal, and keeps them for this user only', async () => {
    const { code, screen } = await inTerminal(
      ['login'],
      [
        [/Address of the server/, `${desk.server.url}\r`],
        [/API token for/, `${token}\r`],
      ],
    )
    assert.equal(code, 0, screen)
    assert.match(screen, /Logged in to http:\/\/127\.0\.0\.1:\d+ \(workspace default\)/)
    assert.ok(!screen.includes(token), 'the token is on the screen')
    const path = join(desk.folder, '.config', 'logins.json')
    assert.equal((await stat(path)).mode & 0o777, 0o600)
    assert.ok((await readFile(path, 'utf8')).includes(token))
    const { stdout } = await desk.fairlead(['whoami'], { env: nothingSet })
    assert.match(stdout, /Workspace +default/)
  })

  it('leaves everything as it was when Ctrl-C answers the prompt', async () => {
    const before_ = await readFile(join(desk.folder, '.config', 'logins.json'), 'utf8')
    const { code, screen } = await inTerminal(['login', desk.server.url], [[/API token for/, '\x03']])
    assert.equal(code, 130, screen)
    assert.equal(await readFile(join(desk.folder, '.config', 'logins.json'), 'utf8'), before_)
  })

  it('keeps nothing of a token that the server does not know', async () => {
    const args = ['login', desk.server.url, '--name', 'wrong', '--with-token']
    const input = 'fl_wrong-token-0123456789abcdefghijklmnop\n'
    const { code } = await desk.fairlead(args, { input, env: nothingSet })
    assert.equal(code, 3)
    const { stderr } = await desk.fairlead(['whoami', '--server', 'wrong'], { env: nothingSet })
    assert.match(stderr, /There is no login named "wrong"/)
  })

  it('keeps several servers by name, and chooses by flag, environment and last login in this order', async () => {
    await using other = await openDesk()
    const login = (url: string, name: string) =>
      desk.fairlead(['login', url, '--name', name, '--with-token'], { input: token, env: nothingSet })
    await login(desk.server.url, 'home')
    await login(other.server.url, 'away')
    const whoami = async (args: string[], env: Record<string, string>) =>
      readJson<{ url: string }>((await desk.fairlead(['whoami', '--json', ...args], { env })).stdout).url
    assert.equal(await whoami([], nothingSet), other.server.url)
    assert.equal(await whoami(['--server', 'home'], nothingSet), desk.server.url)
    assert.equal(await whoami([], { ...nothingSet, FAIRLEAD_URL: desk.server.url }), desk.server.url)
    const env = { ...nothingSet, FAIRLEAD_URL: desk.server.url }
    assert.equal(await whoami(['--server', 'away'], env), other.server.url)
    for (const token of ['', 'fl_another-token-0123456789abcdefghijklm']) {
      const asFlag = await desk.fairlead(['whoami', '--server', 'home'], {
        env: { ...nothingSet, FAIRLEAD_TOKEN: token },
      })
      const asVariable = await desk.fairlead(['whoami'], { env: { FAIRLEAD_URL: 'home', FAIRLEAD_TOKEN: token } })
      assert.deepEqual(asVariable, asFlag)
      assert.equal(asFlag.code, token === '' ? 0 : 3)
    }
    await desk.fairlead(['logout', 'away'], { env: nothingSet })
    assert.notEqual((await desk.fairlead(['whoami', '--server', 'away'], { env: nothingSet })).code, 0)
  })

  it('never sends a token that was kept for one server to another', async () => {
    const env = { ...nothingSet, FAIRLEAD_URL: 'http://127.0.0.1:1' }
    const { code, stderr } = await desk.fairlead(['apps'], { env })
    assert.equal(code, 3)
    assert.match(stderr, /No token is set for http:\/\/127\.0\.0\.1:1/)
  })

  it('says how to log in without a terminal when its input is a pipe', async () => {
    const { code, stderr } = await desk.fairlead(['login', desk.server.url], { env: nothingSet })
    assert.equal(code, 2)
    assert.match(stderr, /--with-token < token\.txt/)
  })
})
