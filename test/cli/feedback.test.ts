import assert from 'node:assert/strict'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { writeApk } from '@fairlead/binary/fixture'
import { createPng } from '../../apps/server/src/testing/pictures.ts'
import { type Desk, openDesk } from './fairlead.ts'

describe('fairlead feedback', { timeout: 300_000 }, () => {
  let desk: Desk
  before(async () => {
    desk = await openDesk()
    await writeFile(join(desk.folder, 'app.apk'), writeApk({ packageName: 'com.example.shop' }))
    await desk.json('apps', 'create', 'shop', '--platform', 'android', '--identifier', 'com.example.shop')
  })
  after(() => desk[Symbol.asyncDispose]())

  it('lists what testers wrote, and shows it with its pictures', async () => {
    const build = await desk.json('builds', 'upload', 'app.apk', '--app', 'shop')
    const form = new FormData()
    form.append('text', 'The chart\nis \u001B[31mempty')
    form.append('contact', 'ada@example.com')
    form.append('pictures', new Blob([new Uint8Array(createPng())]), 'a.png')
    const sent = await fetch(`${build.installUrl}/feedback`, {
      method: 'POST',
      headers: { Accept: 'application/json' },
      body: form,
    })
    assert.equal(sent.status, 201)
    const [listed] = await desk.json('feedback', '--app', 'shop', '--status', 'open')
    assert.deepEqual(await desk.json('feedback', 'list', '--build', String(build.id)), [listed])
    assert.deepEqual(await desk.json('feedback', '--app', 'shop', '--status', 'done'), [])
    const { stdout } = await desk.fairlead(['feedback', '--app', 'shop'])
    assert.match(stdout, /ada@example\.com\t1\topen\t.*\tThe chart is \[31mempty/)
    const shown = await desk.fairlead(['feedback', 'show', String(listed.id), '--pictures', 'pictures'])
    assert.match(shown.stdout, /\(4 × 2\)[\s\S]*The chart\nis \[31mempty/)
    const [name = ''] = await readdir(join(desk.folder, 'pictures'))
    assert.deepEqual(await readFile(join(desk.folder, 'pictures', name)), createPng())
    assert.equal((await desk.fairlead(['feedback', 'show', '999'])).code, 5)
    assert.equal((await desk.fairlead(['feedback'])).code, 2)
  })
})
