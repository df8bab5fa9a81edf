import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { createClient } from '@fairlead/client'
import { writeTombstone } from '../../packages/symbols/test/write-tombstone.ts'
import { waitUntil } from '../processes/api.ts'
import { token } from '../processes/server-process.ts'
import { type Desk, openDesk } from './fairlead.ts'
import { toReport } from './test-report.ts'

const github = {
  GITHUB_ACTIONS: 'true',
  GITHUB_REF_NAME: 'main',
  GITHUB_SHA: 'c0ffee',
  GITHUB_SERVER_URL: 'https://ci.example',
  GITHUB_REPOSITORY: 'team/shop',
  GITHUB_RUN_ID: '99',
  GITHUB_RUN_ATTEMPT: '2',
}

describe('fairlead tests', { timeout: 300_000 }, () => {
  let desk: Desk
  before(async () => {
    desk = await openDesk()
    await mkdir(join(desk.folder, 'app/build'), { recursive: true })
    await desk.json('apps', 'create', 'shop', '--platform', 'android')
  })
  after(() => desk[Symbol.asyncDispose]())
  const write = (name: string, text: string) => writeFile(join(desk.folder, name), text)

  it('uploads the files of a pattern as one run with the variables of CI, and prints its verdict', async () => {
    await write('app/build/TEST-cart.xml', toReport(['adds'], ['removes', 'expected 1']))
    await write('app/build/TEST-list.xml', toReport(['sorts']))
    const pattern = 'app/**/TEST-*.xml'
    const upload = await desk.fairlead(['tests', 'upload', pattern, '--app', 'shop', '--json'], { env: github })
    assert.equal(upload.code, 0, upload.stderr)
    const { run, counts } = JSON.parse(upload.stdout)
    assert.deepEqual([counts.passed, counts.failed], [2, 1])
    assert.deepEqual(
      [run.key, run.attempt, run.branch, run.commit, run.ciUrl],
      ['github-99', 2, 'main', 'c0ffee', 'https://ci.example/team/shop/actions/runs/99'],
    )
    const pending = await desk.fairlead(['tests', 'verdict', '--app', 'shop'], { env: github })
    assert.deepEqual([pending.code, /not complete/.test(pending.stderr)], [8, true], pending.stderr)
    const completed = await desk.fairlead(['tests', 'complete', '--app', 'shop', '--json'], { env: github })
    assert.equal(JSON.parse(completed.stdout).state, 'complete')
    const failed = await desk.fairlead(['tests', 'verdict', '--app', 'shop', '--wait', '1m'], { env: github })
    assert.equal(failed.code, 1, failed.stderr)
    assert.match(failed.stdout, /^Verdict +fail\nNew +1$/m)
    assert.match(failed.stderr, /^error: Tests failed$/m)
    const shown = await desk.fairlead(['tests', 'show', String(run.id)])
    assert.match(shown.stdout, /^new\tshop\.CartTest\.removes\texpected 1$/m)
    const [listed] = await desk.json('tests', 'runs', '--app', 'shop', '--branch', 'main')
    assert.equal(listed.id, run.id)
  })

  it('counts a flaky test, which passed in the end, apart from those that passed at once', async () => {
    const flaky = '<testcase name="late"><flakyFailure message="timed out" type="Timeout"/></testcase>'
    await write('flaky.xml', `<testsuite name="unit">${flaky}<testcase name="adds"/></testsuite>`)
    const sent = ['flaky.xml', '--app', 'shop', '--run-key', 'flaky', '--commit', 'f1a', '--complete']
    const { run } = await desk.json('tests', 'upload', ...sent)
    const shown = await desk.fairlead(['tests', 'show', String(run.id)])
    assert.match(shown.stdout, /^Tests\s+1 passed, 1 flaky, 0 failed, 0 skipped$/m)
    const { stdout } = await desk.fairlead(['tests', 'runs', '--app', 'shop', '--run-key', 'flaky'])
    assert.match(stdout, new RegExp(`^${run.id}\tcomplete\t1\t1\t0\t0\t`, 'm'))
    const report = await desk.fairlead(['ci', 'report', '--app', 'shop', '--run-key', 'flaky'])
    assert.match(report.stdout, /^1 passed · 1 flaky$/m)
  })

  it('ends with 0 when the verdict is good, 4 without tests and 3 when the verdict cannot be read', async () => {
    await write('good.xml', toReport(['adds']))
    const good = await desk.json('tests', 'upload', 'good.xml', '--app', 'shop', '--run-key', 'good', '--complete')
    assert.equal((await desk.fairlead(['tests', 'verdict', String(good.run.id)])).code, 0)
    await write('none.xml', '<testsuite name="empty"></testsuite>')
    const none = await desk.json('tests', 'upload', 'none.xml', '--app', 'shop', '--run-key', 'none', '--complete')
    const verdict = await desk.fairlead(['tests', 'verdict', String(none.run.id), '--json'])
    assert.deepEqual([verdict.code, JSON.parse(verdict.stderr).error.exitCode], [4, 4])
    for (const env of [{ FAIRLEAD_URL: 'http://127.0.0.1:21499' }, { FAIRLEAD_TOKEN: 'fl_wrong' }]) {
      assert.equal((await desk.fairlead(['tests', 'verdict', '1'], { env })).code, 3)
    }
    assert.equal((await desk.fairlead(['tests', 'verdict', '999'])).code, 3)
  })

  it('says what is wrong with files and flags, and sends nothing', async () => {
    const nothing = await desk.fairlead(['tests', 'upload', 'none/**/*.xml', '--app', 'shop'])
    assert.equal(nothing.code, 5)
    assert.match(nothing.stderr, /No file is at none\/\*\*\/\*\.xml\nPut a pattern between quotation marks/)
    await write('notes.txt', 'nothing')
    const refused = await desk.fairlead(['tests', 'upload', 'notes.txt', '--app', 'shop'])
    assert.equal(refused.code, 6)
    assert.equal((await desk.fairlead(['tests', 'verdict', '1', '--wait', 'soon'])).code, 2)
    assert.equal((await desk.fairlead(['tests', 'verdict'])).code, 2)
  })
})

describe('fairlead crashes', { timeout: 300_000 }, () => {
  let desk: Desk
  before(async () => {
    desk = await openDesk()
    await desk.json('apps', 'create', 'shop', '--platform', 'android')
  })
  after(() => desk[Symbol.asyncDispose]())

  it('lists and shows groups, and changes their status', async () => {
    const client = createClient({ baseUrl: desk.server.url, token })
    const [application] = await client.applications.list()
    const trace = 'java.lang.IllegalStateException: empty cart\n\tat com.example.Shop.open(Shop.java:12)'
    await client.crashes.sendReport(application?.id ?? 0, trace)
    const list = () => desk.json('crashes', 'list', '--app', 'shop', '--status', 'open')
    await waitUntil('the crash is read', async () => (await list()).length === 1)
    const [group] = await list()
    const id = String(group.id)
    const { stdout } = await desk.fairlead(['crashes', 'show', id])
    assert.match(stdout, /IllegalStateException/)
    assert.match(stdout, /^ {2}com\.example\.Shop\.open {2}Shop\.java:12$/m)
    const resolved = await desk.fairlead(['crashes', 'resolve', id, '--version', '1.3'])
    assert.match(resolved.stdout, /resolved in 1\.3/)
    assert.deepEqual(await list(), [])
    const ignored = await desk.json('crashes', 'ignore', id, '--until', '2090-01-31')
    assert.deepEqual([ignored.status, ignored.ignoredUntilDate], ['ignored', '2090-01-31T00:00:00.000Z'])
    assert.equal((await desk.json('crashes', 'reopen', id)).status, 'open')
    assert.equal((await desk.fairlead(['crashes', 'ignore', id, '--until', 'soon'])).code, 2)
    assert.equal((await desk.fairlead(['crashes', 'show', '9999'])).code, 5)
  })

  it('sends a tombstone as Protocol Buffers, whose bytes are no text', async () => {
    const frame = { pc: 0xf_ffff, function: 'pilot_draw', file: '/data/app/libpilot.so' }
    await writeFile(join(desk.folder, 'tombstone_00.pb'), writeTombstone([frame]))
    const sent = await desk.fairlead(['crashes', 'upload', 'tombstone_00.pb', '--app', 'shop', '--version', '34'])
    assert.match(sent.stdout, /^Sent as [0-9a-f]{64}$/m)
    const find = async () => {
      const groups = await desk.json('crashes', 'list', '--app', 'shop')
      return groups.find(({ title }: { title: string }) => title === 'SIGSEGV')
    }
    await waitUntil('the tombstone is read', async () => (await find()) !== undefined)
    const shown = await desk.fairlead(['crashes', 'show', String((await find()).id)])
    assert.match(shown.stdout, /pilot_draw/)
  })

  it('makes keys, and turns them off and on', async () => {
    const key = await desk.json('crashes', 'keys', 'create', 'Play store', '--app', 'shop')
    assert.match(key.sentryDsn, /^https?:\/\/[0-9a-f]{32}@/)
    const disabled = await desk.fairlead(['crashes', 'keys', 'disable', String(key.id), '--app', 'shop'])
    assert.equal(disabled.stdout, 'Disabled the key Play store\n')
    const [listed] = await desk.json('crashes', 'keys', '--app', 'shop')
    assert.equal(listed.isEnabled, false)
    const enabled = await desk.json('crashes', 'keys', 'enable', String(key.id), '--app', 'shop')
    assert.equal(enabled.isEnabled, true)
  })
})
