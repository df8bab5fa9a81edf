import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { writeApk } from '@fairlead/binary/fixture'
import { type Desk, openDesk } from './fairlead.ts'

describe('fairlead events', { timeout: 300_000 }, () => {
  let desk: Desk
  before(async () => {
    desk = await openDesk()
    await writeFile(join(desk.folder, 'app.apk'), writeApk({ packageName: 'com.example.shop' }))
    await desk.json('apps', 'create', 'shop', '--platform', 'android', '--identifier', 'com.example.shop')
    await desk.json('apps', 'create', 'other', '--platform', 'android', '--identifier', 'com.example.other')
  })
  after(() => desk[Symbol.asyncDispose]())

  it('prints a line of JSON for each event until it is interrupted', async () => {
    const following = Promise.withResolvers<ChildProcess>()
    const ended = desk.fairlead(['events', '--app', 'shop'], {
      onStderr: (child, text) => text.includes('Following the events of') && following.resolve(child),
    })
    const child = await following.promise
    const line = Promise.withResolvers<string>()
    let output = ''
    child.stdout?.on('data', (text: string) => {
      output += text
      if (output.includes('"kind":"build"')) line.resolve(output)
    })
    await desk.json('apps', 'rename', 'other', 'Another')
    const build = await desk.json('builds', 'upload', 'app.apk', '--app', 'shop')
    const lines = (await line.promise).trim().split('\n')
    const events = lines.map((text) => JSON.parse(text))
    assert.deepEqual(
      events.filter(({ kind }) => kind === 'build'),
      [{ kind: 'build', change: 'created', applicationId: build.applicationId, ids: [build.id] }],
    )
    assert.ok(events.every(({ applicationId }) => applicationId === build.applicationId))
    child.kill('SIGINT')
    assert.equal((await ended).code, 130)
  })

  it('says that an application is unknown, and that a token is refused', async () => {
    assert.equal((await desk.fairlead(['events', '--app', 'nothing'])).code, 5)
    const refused = await desk.fairlead(['events'], { env: { FAIRLEAD_TOKEN: `fl_${'x'.repeat(40)}` } })
    assert.equal(refused.code, 3)
    assert.match(refused.stderr, /token/i)
  })
})
