import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { runFairlead } from '../cli/fairlead.ts'
import { openTemporaryFolder, type TemporaryFolder } from '../processes/server-process.ts'
import { readJson } from '../../scripts/read-json.ts'
import { findBarriers, measureOverflow } from './accessibility.ts'
import { skip } from './chromium.ts'
import { openDashboard, type OpenedDashboard } from './opened-dashboard.ts'

describe('fairlead login --web', { skip, timeout: 900_000 }, () => {
  let opened: OpenedDashboard
  let folder: TemporaryFolder
  const started = new Set<ChildProcess>()
  before(async () => {
    opened = await openDashboard()
    folder = await openTemporaryFolder()
  })
  after(async () => {
    // A login that nobody decided because a test failed would wait for ten minutes.
    for (const child of started) child.kill()
    await opened[Symbol.asyncDispose]()
    await folder[Symbol.asyncDispose]()
  })

  const fairlead = (args: string[], onStderr?: (text: string) => void) =>
    runFairlead(args, {
      cwd: folder.path,
      env: { FAIRLEAD_URL: '', FAIRLEAD_TOKEN: '', FAIRLEAD_CONFIG_DIR: join(folder.path, '.config') },
      ...(onStderr && {
        onStderr: (child, text) => {
          started.add(child)
          onStderr(text)
        },
      }),
    })

  /** Starts the command, and returns its end and the address that it shows. */
  async function startLogin(...args: string[]) {
    const shown = Promise.withResolvers<string>()
    const ended = fairlead(['login', opened.fresh.baseUrl, '--web', ...args], (text) => {
      const [, address] = /Open (\S+)\n.*approve the code [A-Z-]{9},/.exec(text) ?? []
      if (address !== undefined) shown.resolve(address)
    })
    const url = await Promise.race([shown.promise, ended.then(({ stderr }) => assert.fail(stderr))])
    return { url, ended }
  }

  it('is approved on the page, and gets a token of the role that is chosen there', async () => {
    const { url, ended } = await startLogin('--name', 'web')
    const page = await opened.openPage({ viewport: { width: 390, height: 844 } })
    await page.goto(url)
    const code = new URL(url).searchParams.get('code') ?? ''
    assert.equal(await page.getByRole('textbox', { name: 'Code' }).inputValue(), code)
    assert.deepEqual(await findBarriers(page), [])
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Did somebody send you this code or link?').waitFor()
    await page.getByText(code, { exact: true }).waitFor()
    await page.getByText(/fairlead\/[\d.]+ node\//).waitFor()
    assert.deepEqual(await findBarriers(page), [])
    assert.equal(await measureOverflow(page), 0)
    await page.getByRole('combobox', { name: 'Role' }).selectOption('Developer')
    await page.getByRole('combobox', { name: 'Expires' }).selectOption('In 30 days')
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByRole('status').getByText('goes on within a few seconds').waitFor()

    const { code: exit, stdout, stderr } = await ended
    assert.equal(exit, 0, stderr)
    assert.match(stdout, /Logged in to http/)
    const kept = await readFile(join(folder.path, '.config', 'logins.json'), 'utf8')
    const token = /fl_[\w-]{43}/.exec(kept)?.[0] ?? ''
    assert.ok(token !== '' && !stdout.includes(token) && !stderr.includes(token), 'the token is on the screen')

    const whoami = await fairlead(['whoami'])
    assert.match(whoami.stdout, /Role +developer\n/)
    assert.match(whoami.stdout, /Token +fairlead on /)
    assert.match(whoami.stdout, /Token expires +20\d\d-/)
    const { account, role } = readJson<{ account: string; role: string }>((await fairlead(['whoami', '--json'])).stdout)
    assert.equal(role, 'developer')
    assert.match(account, /@/)

    const logout = await fairlead(['logout'])
    assert.match(logout.stdout, /Forgot the login "web" and revoked its token/)
    const answer = await fetch(`${opened.fresh.baseUrl}/v1/caller`, { headers: { 'X-Service-Token': token } })
    assert.equal(answer.status, 401, 'the token is revoked')
  })

  it('ends with a sentence when it is refused, and keeps nothing', async () => {
    const { url, ended } = await startLogin('--name', 'refused')
    const page = await opened.openPage()
    await page.goto(url)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Refuse' }).click()
    await page.getByRole('status').getByText('gets no token').waitFor()
    const { code, stderr } = await ended
    assert.equal(code, 4, stderr)
    assert.match(stderr, /The login was refused in the browser/)
    assert.match((await fairlead(['whoami', '--server', 'refused'])).stderr, /There is no login named "refused"/)
  })

  it('leads a person who is not signed in through the sign-in, and says when a code is wrong', async () => {
    const page = await opened.chromium.openPage({ baseURL: opened.fresh.baseUrl })
    await page.goto('/login?code=BBBB-BBBB')
    await page.waitForURL('**/sign-in?next=*')
    await page.context().addCookies([opened.workspace.cookie])
    await page.goto('/login?code=BBBB-BBBB')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('alert').getByText('No login waits under this code').waitFor()
  })
})
