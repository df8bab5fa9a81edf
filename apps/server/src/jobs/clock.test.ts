import assert from 'node:assert/strict'
import { afterEach, describe, it, mock } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { openDatabase } from '../db/open.ts'
import { invite, join } from '../testing/browser.ts'
import { startMailServer } from '../testing/mail-server.ts'
import { startServer } from '../testing/start-server.ts'
import { createApplication, uploadApk } from '../testing/upload.ts'
import { toJsonText } from '../db/json-text.ts'

const hour = 60 * 60 * 1000

describe('a jump of the clock', () => {
  afterEach(() => mock.timers.reset())

  for (const jump of [5 * hour, -5 * hour]) {
    it(`by ${jump / hour} hours ends no session or token, expires no link early and holds back no mail`, async () => {
      await using mailServer = await startMailServer()
      await using server = await startServer({ FAIRLEAD_SMTP_URL: mailServer.url })
      await createApplication(server, 'shop')
      const build = await uploadApk(server, { alias: 'shop' })
      const ada = await join(server, { email: 'ada@example.com', role: 'admin', mailServer })
      const before = Date.now()
      mock.timers.enable({ apis: ['Date'], now: before + jump })
      assert.equal((await ada.call('GET', '/v1/session')).status, 200)
      assert.equal((await server.call('GET', `/v1/builds/${build.id}`)).json.isExpired, false)
      assert.equal((await server.call('GET', new URL(build.installUrl).pathname, { token: null })).status, 200)
      await invite(server, { email: 'bob@example.com', role: 'viewer' })
      await mailServer.waitForMail('bob@example.com')
      mock.timers.setTime(before)
      await invite(server, { email: 'carol@example.com', role: 'viewer' })
      await mailServer.waitForMail('carol@example.com')
      assert.equal((await ada.call('GET', '/v1/session')).status, 200)
    })
  }

  it('back by hours does not delay a job that was enqueued before, nor repeat the daily chores', async () => {
    await using server = await startServer()
    const { db } = await openDatabase({ databaseUrl: server.databaseUrl, dataDir: server.dataDir })
    await using _close = { [Symbol.asyncDispose]: () => db.destroy() }
    const later = Date.now() + 5 * hour
    const payload = toJsonText({ mailId: 0 })
    const job = { kind: 'send-mail', key: 'mail:0', payload, run_at: later, created_at: later }
    await db.insertInto('jobs').values(job).execute()
    const list = () => db.selectFrom('jobs').select(['key', 'attempts', 'run_at']).execute()
    while ((await list()).some(({ key }) => key === 'mail:0')) await setTimeout(50)
    await db.updateTable('jobs').set({ run_at: later, created_at: later }).execute()
    while ((await list()).some(({ run_at }) => run_at === later)) await setTimeout(50)
    assert.equal((await list())[0]?.attempts, 0)
  })
})
