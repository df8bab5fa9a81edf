import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { openDatabase } from '../db/open.ts'
import { invite } from '../testing/browser.ts'
import { startMailServer } from '../testing/mail-server.ts'
import { createSecondWorkspace } from '../testing/second-workspace.ts'
import { startServer } from '../testing/start-server.ts'
import { createTestDatabase } from '../testing/test-database.ts'

describe('mails that were written without a mail server', () => {
  it('are counted, and deleted when an administrator asks for it', async () => {
    await using server = await startServer()
    await invite(server, { email: 'ada@example.com', role: 'viewer' })
    await invite(server, { email: 'bob@example.com', role: 'viewer' })
    assert.deepEqual((await server.call('GET', '/v1/mailDelivery')).json, { isConfigured: false, heldCount: 2 })
    assert.equal((await server.call('POST', '/v1/mailDelivery/sendHeld')).status, 409)
    const token = await createSecondWorkspace(server)
    const foreign = await server.call('POST', '/v1/mailDelivery/discardHeld', { token })
    assert.deepEqual(foreign.json, { isConfigured: false, heldCount: 0 })
    assert.equal((await server.call('GET', '/v1/mails')).json.length, 2)
    const discarded = await server.call('POST', '/v1/mailDelivery/discardHeld')
    assert.deepEqual(discarded.json, { isConfigured: false, heldCount: 0 })
    assert.deepEqual((await server.call('GET', '/v1/mails')).json, [])
  })

  it('are not sent by a mail server that is set later, until an administrator asks for it', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'fairlead-mails-'))
    await using database = await createTestDatabase()
    const settings = {
      FAIRLEAD_DATA_DIR: dataDir,
      ...(database.url !== null && { FAIRLEAD_DATABASE_URL: database.url }),
    }
    {
      await using server = await startServer(settings)
      await invite(server, { email: 'ada@example.com', role: 'viewer' })
    }
    {
      const { db } = await openDatabase({ databaseUrl: database.url, dataDir })
      const anHourAgo = Date.now() - 61 * 60_000
      await db.updateTable('mails').set({ created_at: anHourAgo }).execute()
      await db.destroy()
    }
    {
      await using mailServer = await startMailServer()
      await using server = await startServer({ ...settings, FAIRLEAD_SMTP_URL: mailServer.url })
      await invite(server, { email: 'bob@example.com', role: 'viewer' })
      await mailServer.waitForMail('bob@example.com')
      const held = await server.call('GET', '/v1/mailDelivery')
      assert.deepEqual(held.json, { isConfigured: true, heldCount: 1 })
      const sent = await server.call('POST', '/v1/mailDelivery/sendHeld')
      assert.equal(sent.status, 202)
      assert.equal(sent.json.heldCount, 0)
      await mailServer.waitForMail('ada@example.com')
    }
    await rm(dataDir, { recursive: true })
  })
})
