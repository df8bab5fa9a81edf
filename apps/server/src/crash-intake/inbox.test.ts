import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { createCrashApplication, deliver, listAllCrashes, waitUntilRead } from '../testing/crashes.ts'
import { startServer } from '../testing/start-server.ts'

describe('the inbox of crashes', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())
  const trace = 'java.lang.Error: x\n\tat org.tarn.Shop.open(S.java:1)'

  it('refuses deliveries to an application that was just deleted, and keeps those that arrive with them', async () => {
    const deleted = await createCrashApplication(server, 'deleted')
    const other = await createCrashApplication(server, 'other')
    assert.equal((await deliver(server, deleted, 'raw', trace)).status, 202)
    await waitUntilRead(server, deleted.id)
    assert.equal((await server.call('DELETE', `/v1/applications/${deleted.id}`)).status, 204)
    const applications = [other, deleted, other, deleted, other]
    const sent = applications.map((app, place) => deliver(server, app, 'raw', `${trace}\n\tat a.B.c(B.java:${place})`))
    const statuses = (await Promise.all(sent)).map(({ status }) => status)
    assert.deepEqual([statuses[0], statuses[2], statuses[4]], [202, 202, 202])
    for (const place of [1, 3]) assert.ok([401, 403, 404].includes(statuses[place] ?? 0), String(statuses[place]))
    await waitUntilRead(server, other.id)
    assert.equal((await listAllCrashes(server, other.id)).length, 3)
  })
})
