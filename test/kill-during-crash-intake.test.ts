import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { describe, it } from 'node:test'
import { createRandom, plantBugs, plantedPackage, shuffle } from '../apps/server/src/testing/planted-bugs.ts'
import { createTestDatabase } from '../apps/server/src/testing/test-database.ts'
import { openTemporaryFolder, startServerProcess, token } from './processes/server-process.ts'
import { readAnswer } from '../scripts/read-json.ts'

const kills = 5

describe('a server that is killed while crashes and symbols arrive', () => {
  it('loses no crash that was acknowledged and counts none twice', async () => {
    await using folder = await openTemporaryFolder()
    await using database = await createTestDatabase()
    const dataDir = folder.path
    const env: Record<string, string> = database.url === null ? {} : { FAIRLEAD_DATABASE_URL: database.url }
    const app = plantBugs(11, { bugs: 20, crashesPerBug: 12 })
    const random = createRandom(5)
    let keys: Keys | undefined
    const acknowledged = new Set<string>()
    const waiting = new Map(app.crashes.map(({ event }) => [requireId(event), event]))
    const builds = [...app.builds]

    for (let kill = 0; kill < kills; kill++) {
      await using server = await startServerProcess({ dataDir, env })
      keys ??= await createKeys(server.url)
      const { id, key } = keys
      let answers = 0
      const { promise: enough, resolve } = Promise.withResolvers<void>()
      const part = shuffle([...waiting], random).slice(0, 60)
      const sending = part.map(async ([eventId, event]) => {
        const isTaken = await send(server.url, { id, key }, event).catch(() => false)
        if (!isTaken) return
        acknowledged.add(eventId)
        waiting.delete(eventId)
        if (++answers === 8 + kill * 8) resolve()
      })
      const build = builds.pop()
      const uploading = build ? upload(server.url, build).catch(() => builds.push(build)) : undefined
      await Promise.race([enough, setTimeout(20_000)])
      // At this moment the job has begun to read deliveries and has not stored all of them.
      await setTimeout(Math.floor(random() * 150))
      await server.end('SIGKILL')
      await Promise.all([...sending, uploading])
    }

    await using server = await startServerProcess({ dataDir, env })
    assert.ok(keys)
    const { id, key } = keys
    for (const build of app.builds) await upload(server.url, build)
    // A client repeats each delivery that got no answer, although the server may have stored it.
    for (const event of waiting.values()) assert.ok(await send(server.url, { id, key }, event))
    await waitUntilRead(server.url, id)
    const groups = await get<{ id: number; crashCount: number }[]>(server.url, `/v1/applications/${id}/crashGroups`)
    const stored: string[] = []
    for (const group of groups) {
      const crashes = await get<{ sourceId: string }[]>(server.url, `/v1/crashGroups/${group.id}/crashes`)
      assert.equal(group.crashCount, crashes.length)
      stored.push(...crashes.map(({ sourceId }) => sourceId))
    }
    assert.equal(new Set(stored).size, stored.length, 'a crash was counted twice')
    assert.equal(stored.length, app.crashes.length)
    for (const eventId of acknowledged) assert.ok(stored.includes(eventId), `crash ${eventId} was acknowledged`)
    assert.ok(acknowledged.size > 40)
    assert.equal(groups.length, 20)
  })
})

interface Keys {
  id: number
  key: string
}

async function createKeys(url: string): Promise<Keys> {
  const application = { name: 'Ledger', alias: 'ledger', platform: 'android' }
  const { id } = await post<{ id: number }>(url, '/v1/applications', application)
  const { key } = await post<{ key: string }>(url, `/v1/applications/${id}/crashKeys`, { name: 'Apps' })
  return { id, key }
}

async function post<Content>(url: string, path: string, body: object): Promise<Content> {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { 'X-Service-Token': token, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  assert.equal(answer.status, 201)
  return readAnswer<Content>(answer)
}

async function get<Content>(url: string, path: string): Promise<Content> {
  const answer = await fetch(url + path, { headers: { 'X-Service-Token': token } })
  assert.equal(answer.status, 200)
  return readAnswer<Content>(answer)
}

async function send(url: string, { id, key }: Keys, event: object): Promise<boolean> {
  const answer = await fetch(`${url}/api/${id}/store/?sentry_key=${key}`, {
    method: 'POST',
    body: JSON.stringify(event),
  })
  return answer.status === 200
}

async function upload(
  url: string,
  { mapping, version, shortVersion }: { mapping: string; version: string; shortVersion: string },
): Promise<void> {
  const answer = await fetch(`${url}/v2/symbolsFiles`, {
    method: 'POST',
    headers: {
      'X-Service-Token': token,
      'X-Service-Application-Alias': 'ledger',
      'X-Service-Package': plantedPackage,
      'X-Service-Version-Name': shortVersion,
      'X-Service-Version-Code': version,
    },
    body: mapping,
  })
  assert.equal(answer.status, 201)
}

async function waitUntilRead(url: string, id: number): Promise<void> {
  for (let wait = 0; ; wait++) {
    const { pendingCount } = await get<{ pendingCount: number }>(url, `/v1/applications/${id}/crashIntake`)
    if (pendingCount === 0) return
    assert.ok(wait < 600, `${pendingCount} are still pending`)
    await setTimeout(50)
  }
}

function requireId(event: object): string {
  assert.ok('event_id' in event && typeof event.event_id === 'string')
  return event.event_id
}
