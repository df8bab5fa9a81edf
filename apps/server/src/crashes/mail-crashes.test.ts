import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, describe, it } from 'node:test'
import { openDatabase } from '../db/open.ts'
import { join } from '../testing/browser.ts'
import { createCrashApplication, deliver, waitUntilRead } from '../testing/crashes.ts'
import { startServer } from '../testing/start-server.ts'

describe('mails about crashes', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())

  const toTrace = (method: string) => `java.lang.Error: x\n\tat org.tarn.Shop.${method}(Shop.java:1)`

  it('tell developers and administrators of new groups in one digest, once a day for each group', async () => {
    await join(server, { email: 'viewer@example.com', role: 'viewer' })
    await join(server, { email: 'developer@example.com', role: 'developer' })
    const application = await createCrashApplication(server, 'mailed')
    const listMails = async (): Promise<{ to: string; subject: string }[]> => {
      const { json } = await server.call('GET', '/v1/mails')
      return json.filter(({ subject }: { subject: string }) => subject.startsWith('mailed: '))
    }
    /** Lets the ten minutes pass that a mail waits for symbols and for other groups. */
    const letTimePass = async () => {
      const { db } = await openDatabase({ databaseUrl: server.databaseUrl, dataDir: server.dataDir })
      await db.updateTable('crash_groups').set({ mail_due_at: 1 }).where('mail_due_at', 'is not', null).execute()
      await db.updateTable('jobs').set({ run_at: 1 }).where('kind', '=', 'mail-crashes').execute()
      await db.destroy()
    }
    const hasJobs = async () => {
      const { db } = await openDatabase({ databaseUrl: server.databaseUrl, dataDir: server.dataDir })
      const job = await db.selectFrom('jobs').select('id').where('kind', '=', 'mail-crashes').executeTakeFirst()
      await db.destroy()
      return job !== undefined
    }
    for (const method of ['pay', 'open']) await deliver(server, application, 'raw', toTrace(method))
    await waitUntilRead(server, application.id)
    assert.deepEqual(await listMails(), [])
    await letTimePass()
    while (await hasJobs()) await sleep(50)
    const mails = await listMails()
    assert.ok(mails.length >= 1)
    assert.ok(mails.every(({ subject }) => subject === 'mailed: 2 crash groups'))
    assert.ok(JSON.stringify(mails).includes('developer@example.com'))
    assert.ok(!JSON.stringify(mails).includes('viewer@example.com'))

    const { json: groups } = await server.call('GET', `/v1/applications/${application.id}/crashGroups`)
    await server.call('PATCH', `/v1/crashGroups/${groups[0].id}`, { json: { resolvedInVersion: '1' } })
    const headers = { 'X-Service-Version': '2' }
    const body = `${toTrace(groups[0].culprit.split('.').at(-1))}\n`
    const path = `/v1/applications/${application.id}/crashes`
    assert.equal((await server.call('POST', path, { headers, body })).status, 202)
    await waitUntilRead(server, application.id)
    const { json: group } = await server.call('GET', `/v1/crashGroups/${groups[0].id}`)
    assert.equal(group.isRegressed, true)
    await letTimePass()
    while (await hasJobs()) await sleep(50)
    assert.equal((await listMails()).length, mails.length, 'a group was mailed about twice in a day')
  })
})
