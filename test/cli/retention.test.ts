import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { writeApk } from '@fairlead/binary/fixture'
import { openDatabase } from '../../apps/server/src/db/open.ts'
import { type Desk, openDesk } from './fairlead.ts'

const day = 24 * 60 * 60 * 1000

describe('fairlead retention', { timeout: 300_000 }, () => {
  let desk: Desk
  const ids: string[] = []

  before(async () => {
    desk = await openDesk()
    await desk.json('apps', 'create', 'shop', '--platform', 'android', '--identifier', 'com.example.shop')
    for (const versionCode of [1, 2, 3, 4]) {
      await writeFile(join(desk.folder, 'app.apk'), writeApk({ packageName: 'com.example.shop', versionCode }))
      ids.push(String((await desk.json('builds', 'upload', 'app.apk', '--app', 'shop')).id))
    }
    const { db } = await openDatabase({ databaseUrl: null, dataDir: desk.dataDir })
    await db
      .updateTable('builds')
      .set({ uploaded_at: Date.now() - 40 * day })
      .execute()
    await db.destroy()
    const rules = { isEnabled: true, rules: [{ branches: ['*'], maxAgeDays: 30, keepNewest: 1 }] }
    await writeFile(join(desk.folder, 'rules.json'), JSON.stringify(rules))
  })
  after(() => desk[Symbol.asyncDispose]())

  it('tries rules, sets them, runs them and undoes the run', async () => {
    const [first = '', second = '', third = ''] = ids
    const tried = await desk.fairlead(['retention', 'preview', '--app', 'shop', '--rules', 'rules.json'])
    assert.equal(tried.code, 0, tried.stderr)
    assert.deepEqual(
      tried.stdout
        .trim()
        .split('\n')
        .map((line) => line.split('\t')[0]),
      [third, second, first],
    )
    assert.match(tried.stderr, /^3 builds of .*; the disk gains /m)
    await desk.fairlead(['builds', 'pin', second])
    const saved = await desk.fairlead(['retention', 'set', 'rules.json', '--app', 'shop'])
    assert.match(saved.stdout, /^Saved; runs /)
    const shown = await desk.fairlead(['retention', '--app', 'shop'])
    assert.match(shown.stdout, /^Rule 0 +\*: older than 30 days and beyond the newest 1$/m)
    const refused = await desk.fairlead(['retention', 'run', '--app', 'shop'])
    assert.equal(refused.code, 2, 'nobody is there to ask')
    const run = await desk.json('retention', 'run', '--app', 'shop', '--yes')
    assert.deepEqual([run.state, run.trashedCount], ['done', 2])
    const looked = await desk.fairlead(['retention', 'builds', String(run.id)])
    assert.match(looked.stdout, new RegExp(`^${third}\\t.*\\ttrashed$`, 'm'))
    assert.equal((await desk.fairlead(['builds', 'show', first])).code, 5)
    assert.equal((await desk.json('builds', 'restore', first)).id, Number(first))
    const undone = await desk.json('retention', 'undo', String(run.id))
    assert.deepEqual([undone.state, undone.restoredCount], ['undone', 2])
    assert.equal((await desk.json('builds', 'list', '--app', 'shop')).length, 4)
    await desk.json('builds', 'unpin', second)
    assert.equal((await desk.json('builds', 'show', second)).isPinned, false)
  })

  it('says that a file is not JSON, and leaves it to the server to refuse rules', async () => {
    await writeFile(join(desk.folder, 'broken.json'), '{')
    assert.equal((await desk.fairlead(['retention', 'set', 'broken.json', '--app', 'shop'])).code, 2)
    await writeFile(join(desk.folder, 'wrong.json'), '{"isEnabled": true, "rules": [{"branches": []}]}')
    assert.equal((await desk.fairlead(['retention', 'set', 'wrong.json', '--app', 'shop'])).code, 6)
  })
})
