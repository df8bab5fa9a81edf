import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../db/open.ts'
import { join } from '../testing/browser.ts'
import { startServer } from '../testing/start-server.ts'
import { createApplication, uploadApk } from '../testing/upload.ts'

const day = 24 * 60 * 60 * 1000

describe('Retention with FAIRLEAD_TRASH_DAYS=0', async () => {
  const server = await startServer({ FAIRLEAD_TRASH_DAYS: '0' })
  const { db } = await openDatabase({ databaseUrl: server.databaseUrl, dataDir: server.dataDir })
  after(async () => {
    await db.destroy()
    await server[Symbol.asyncDispose]()
  })
  const until = async (isThere: () => Promise<boolean>, what: string) => {
    for (let waited = 0; !(await isThere()); waited++) {
      assert.ok(waited < 600, what)
      await sleep(25)
    }
  }

  it('deletes builds and their bytes for good, and says so', async () => {
    await join(server, { email: 'ada@example.com', role: 'admin' })
    const { id } = await createApplication(server, 'gone')
    const builds = []
    for (let versionCode = 1; versionCode <= 3; versionCode++) {
      builds.push(await uploadApk(server, { alias: 'gone', apk: { packageName: 'com.gone', versionCode } }))
    }
    await db
      .updateTable('builds')
      .set({ uploaded_at: Date.now() - 40 * day })
      .execute()
    const stored = (await server.listBlobs()).length
    const rules = [{ branches: ['*'], maxAgeDays: 30, keepNewest: null }]
    await server.call('PUT', `/v1/applications/${id}/retention`, { json: { isEnabled: true, rules } })
    const { json: run } = await server.call('POST', `/v1/applications/${id}/retention/runs`)
    const read = async () => (await server.call('GET', `/v1/retentionRuns/${run.id}`)).json
    await until(async () => (await read()).state === 'done', 'the run ends')
    const done = await read()
    assert.deepEqual([done.trashedCount, done.undoUntilDate], [2, done.finishedDate])
    await until(async () => (await server.listBlobs()).length < stored, 'the bytes go')
    const rows = await db.selectFrom('builds').select('id').execute()
    assert.deepEqual(
      rows.map((row) => row.id),
      [builds[2]?.id],
    )
    assert.deepEqual((await server.call('GET', `/v1/applications/${id}/trash`)).json, [])
    assert.equal((await server.call('POST', `/v1/retentionRuns/${run.id}/undo`)).status, 410)
    assert.equal((await server.call('POST', `/v1/builds/${builds[0]?.id}/restore`)).status, 404)
    const { json: lines } = await server.call('GET', `/v1/retentionRuns/${run.id}/builds`)
    assert.equal(lines.length, 2, 'the list of the run outlives its builds')

    const digest = () =>
      db
        .selectFrom('mails')
        .select('text')
        .where('subject', '=', 'Builds that rules removed this week')
        .executeTakeFirst()
    await db.updateTable('jobs').set({ run_at: 1 }).where('kind', '=', 'plan-retention').execute()
    await server.call('POST', `/v1/applications/${id}/trash/empty`)
    await until(async () => (await digest()) !== undefined, 'the digest comes')
    const { text } = (await digest()) ?? { text: '' }
    assert.match(text, /rules deleted these builds/)
    assert.match(text, /cannot be restored/)
  })
})
