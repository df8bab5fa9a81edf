import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, describe, it } from 'node:test'
import { openDatabase } from '../db/open.ts'
import { join } from '../testing/browser.ts'
import { createCrashApplication, deliver, waitUntilRead } from '../testing/crashes.ts'
import { startServer } from '../testing/start-server.ts'
import { toJsonText } from '../db/json-text.ts'

describe('mails about crashes', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())

  const toTrace = (method: string) => `java.lang.Error: x\n\tat org.tarn.Shop.${method}(Shop.java:1)`

  const listMails = async (alias: string): Promise<{ to: string; subject: string }[]> => {
    const { json } = await server.call('GET', '/v1/mails')
    return json.filter(({ subject }: { subject: string }) => subject.startsWith(`${alias}: `))
  }
  const openDb = async () => (await openDatabase({ databaseUrl: server.databaseUrl, dataDir: server.dataDir })).db
  /** Lets the ten minutes pass that a mail waits for symbols and for other groups, and waits for the digests. */
  const letTimePass = async () => {
    const db = await openDb()
    await db.updateTable('crash_groups').set({ mail_due_at: 1 }).where('mail_due_at', 'is not', null).execute()
    await db.updateTable('jobs').set({ run_at: 1 }).where('kind', '=', 'mail-crashes').execute()
    // Saving rules wakes the worker, which otherwise looks for jobs that are due every few seconds.
    await server.call('PUT', '/v1/applications/1/crashRules', { json: { rules: [] } })
    const jobs = db.selectFrom('jobs').select('id').where('kind', '=', 'mail-crashes')
    while ((await jobs.executeTakeFirst()) !== undefined) await sleep(50)
    await db.destroy()
  }

  it('tell developers and administrators of new groups in one digest, once a day for each group', async () => {
    await join(server, { email: 'viewer@example.com', role: 'viewer' })
    await join(server, { email: 'developer@example.com', role: 'developer' })
    const application = await createCrashApplication(server, 'mailed')
    for (const method of ['pay', 'open']) await deliver(server, application, 'raw', toTrace(method))
    await waitUntilRead(server, application.id)
    assert.deepEqual(await listMails('mailed'), [])
    await letTimePass()
    const mails = await listMails('mailed')
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
    assert.equal((await listMails('mailed')).length, mails.length, 'a group was mailed about twice in a day')
  })

  it('report a spike: 20 crashes in an hour, and four times as many as in any other hour of the week', async () => {
    const application = await createCrashApplication(server, 'spiking')
    let count = 0
    const send = async (method: string, crashes: number) => {
      const traces = Array.from({ length: crashes }, () => toTrace(method).replace('x', `x ${++count}`))
      await Promise.all(traces.map((trace) => deliver(server, application, 'raw', trace)))
      await waitUntilRead(server, application.id)
    }
    for (const method of ['sudden', 'usual', 'few']) await send(method, 1)
    await letTimePass()
    const told = (await listMails('spiking')).length
    const db = await openDb()
    const setHours = async (method: string, busiest: number) => {
      const hour = Math.floor(Date.now() / 3_600_000)
      await db
        .updateTable('crash_groups')
        // The mail about the new group was sent two days ago.
        .set({ mailed_at: Date.now() - 48 * 3_600_000, hours: toJsonText({ [hour - 5]: busiest }) })
        .where('culprit', '=', `org.tarn.Shop.${method}`)
        .execute()
    }
    await setHours('sudden', 5)
    await setHours('usual', 6)
    await setHours('few', 1)
    await send('sudden', 20)
    await send('usual', 20)
    await send('few', 19)
    const { json: groups } = await server.call('GET', `/v1/applications/${application.id}/crashGroups`)
    assert.deepEqual(groups.map(({ crashCount }: { crashCount: number }) => crashCount).toSorted(), [20, 21, 21])
    await letTimePass()
    const mails = await listMails('spiking')
    const subjects = new Set(mails.map(({ subject }) => subject))
    assert.ok(mails.length > told, 'nobody was told of the spike')
    assert.deepEqual([...subjects].toSorted(), ['spiking: 3 crash groups', 'spiking: Spiking: java.lang.Error'])
    await send('sudden', 20)
    await letTimePass()
    assert.equal((await listMails('spiking')).length, mails.length, 'a group was mailed about twice in a day')
    await db.destroy()
  })
})
