import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { attach, attachSimulator, openSession } from '@fairlead/channel/test'
import { catchError, catchRejection } from './expect-error.ts'

const appPath = (name: string) => join(import.meta.dirname, 'apps', `${name}.ts`)

function launchByTool(env: Readonly<Record<string, string>>, app: string, count = 1) {
  const options = { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] as const }
  return spawn(process.execPath, [appPath('launcher'), appPath(app), String(count)], {
    ...options,
    stdio: [...options.stdio],
  })
}

const folderOf = (env: Readonly<Record<string, string>>) => env['FAIRLEAD_XPC']?.split(':')[2] ?? ''

describe('an app launched by another tool', () => {
  test('finds its test, sends and answers, and leaves no files behind', async () => {
    using session = openSession()
    const folder = folderOf(session.env)
    assert.equal(statSync(folder).mode & 0o777, 0o700)
    assert.equal(statSync(join(folder, 'to-app')).mode & 0o777, 0o600)
    launchByTool(session.env, 'member')
    await using app = await session.connect()
    assert.equal(existsSync(folder), false)
    assert.ok(app.pid > 0 && app.pid !== process.pid)
    assert.equal(app.xpcService.send('index', undefined, { decoding: Number }), 0)
    assert.equal(await app.xpcService.sendAsync('variable', undefined, { decoding: Boolean }), false)
  })

  test('only one of two apps with the same environment is under test; the other runs normally', async () => {
    using session = openSession()
    const tool = launchByTool(session.env, 'member', 2)
    await using app = await session.connect()
    const index = app.xpcService.send('index', undefined, { decoding: Number })
    assert.ok(index === 0 || index === 1)
    const lines = await tool.stdout?.take(1).toArray()
    assert.equal(String(lines?.[0]).trim(), 'not under test')
  })

  test('an app with a wrong token is refused', async () => {
    using session = openSession()
    const variable = session.env['FAIRLEAD_XPC'] ?? ''
    const forged = variable.replace(/[0-9a-f]{64}/, '0'.repeat(64))
    launchByTool({ FAIRLEAD_XPC: forged }, 'member')
    const error = await catchRejection(session.connect())
    assert.equal(error.code, 'protocol')
    assert.match(error.message, /token/)
  })

  test('an app that never connects gives a timeout, and the folder is removed', async () => {
    using session = openSession()
    assert.equal((await catchRejection(session.connect({ timeout: 50 }))).code, 'timeout')
    assert.equal(existsSync(dirname(join(folderOf(session.env), 'x'))), false)
  })

  test('an app that did not inherit its pipes prints a warning and runs normally', async () => {
    const options = { env: { ...process.env, FAIRLEAD_XPC: 'fd:77,78' }, encoding: 'utf8' as const }
    const { stdout, stderr } = spawnSync(process.execPath, [appPath('member')], options)
    assert.equal(stdout.trim(), 'not under test')
    assert.match(stderr, /openSession/)
  })

  test('a blocked send fails at once if the app is killed', async () => {
    using session = openSession()
    launchByTool(session.env, 'member')
    const app = await session.connect()
    const started = performance.now()
    assert.equal(catchError(() => app.xpcService.send('die')).code, 'connectionLost')
    assert.ok(performance.now() - started < 2500)
    await app.exited
  })

  test('is attached to by a function that lets the tool launch it', async () => {
    await using app = await attach(({ env }) => void launchByTool(env, 'member'))
    assert.equal(app.xpcService.send('index', undefined, { decoding: Number }), 0)
  })

  test('whose launch fails leaves no folder behind', async () => {
    let folder = ''
    const failing = attach(({ env }) => {
      folder = folderOf(env)
      throw new Error('the tool is not there')
    })
    await assert.rejects(failing, /the tool is not there/)
    assert.notEqual(folder, '')
    assert.equal(existsSync(folder), false)
  })

  test('is attached to in the Simulator by simctl (with a stand-in for xcrun)', async () => {
    const bin = mkdtempSync(join(tmpdir(), 'xcrun-'))
    const before = process.env['PATH']
    try {
      // As simctl does, it passes on the variables that begin with SIMCTL_CHILD_, and returns once the app runs.
      const script = `#!/bin/sh
[ "$*" = "simctl launch --terminate-running-process booted com.example.cart --fresh" ] || exit 1
FAIRLEAD_XPC="$SIMCTL_CHILD_FAIRLEAD_XPC" '${process.execPath}' '${appPath('member')}' 0 > /dev/null 2>&1 &
`
      writeFileSync(join(bin, 'xcrun'), script)
      chmodSync(join(bin, 'xcrun'), 0o755)
      process.env['PATH'] = `${bin}:${before ?? ''}`
      await using app = await attachSimulator({ bundleIdentifier: 'com.example.cart', args: ['--fresh'] })
      assert.equal(app.xpcService.send('index', undefined, { decoding: Number }), 0)
    } finally {
      process.env['PATH'] = before
      rmSync(bin, { recursive: true })
    }
  })
})
