import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { globSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { describe, it } from 'node:test'
import { writeApk } from '@fairlead/binary/fixture'
import { openTemporaryFolder, startServerProcess, token } from './processes/server-process.ts'
import { readAnswer } from '../scripts/read-json.ts'

const concurrentUploads = 50
const crashes = 5

describe('a server that is killed during uploads', () => {
  it('keeps every acknowledged build byte for byte and nothing else', async () => {
    await using folder = await openTemporaryFolder()
    const dataDir = folder.path
    const acknowledged = new Map<number, string>()
    let applicationId = 0

    for (let crash = 0; crash < crashes; crash++) {
      await using server = await startServerProcess({ dataDir })
      if (applicationId === 0) applicationId = await createApplication(server.url)
      let answers = 0
      const { promise: enough, resolve } = Promise.withResolvers<void>()
      const uploads = Array.from({ length: concurrentUploads }, async () => {
        const bytes = createApk()
        const build = await upload(server.url, bytes).catch(() => undefined)
        if (!build) return
        acknowledged.set(build.id, sha256(bytes))
        // Some uploads have been answered; the others are anywhere between their first byte and their commit.
        if (++answers === 5 + crash * 5) resolve()
      })
      await Promise.race([enough, setTimeout(20_000)])
      await server.end('SIGKILL')
      await Promise.all(uploads)
      assert.ok(answers < concurrentUploads, 'the kill came too late to interrupt anything')
    }

    await using server = await startServerProcess({ dataDir })
    const list = await get(`${server.url}/v1/applications/${applicationId}/builds`)
    const listed = await readAnswer<{ id: number; sha256: string }[]>(list)
    const byId = new Map(listed.map((build) => [build.id, build.sha256]))
    for (const [id, digest] of acknowledged) assert.equal(byId.get(id), digest, `build ${id} was acknowledged`)
    for (const { id, sha256: digest } of listed) {
      const binary = await get(`${server.url}/v1/builds/${id}/binary`)
      assert.equal(sha256(Buffer.from(await binary.arrayBuffer())), digest, `build ${id} has its bytes`)
    }
    // A build may have been committed without its answer being received; blobs without a row must be gone.
    await waitUntil(() => globSync('blobs/*/*', { cwd: dataDir }).length === byId.size)
    assert.deepEqual(globSync('staging/*/*', { cwd: dataDir }), [])
  })
})

/** Creates an APK without an icon, so that each build has exactly one blob. */
function createApk(): Uint8Array<ArrayBuffer> {
  const files = [{ name: 'assets/data', data: randomBytes(400_000) }]
  return new Uint8Array(writeApk({ packageName: 'com.example.crash', icon: null, schemes: [], files }))
}

async function createApplication(url: string): Promise<number> {
  const answer = await fetch(`${url}/v1/applications`, {
    method: 'POST',
    headers: { 'X-Service-Token': token, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Crash', alias: 'crash', platform: 'android' }),
  })
  const { id } = await readAnswer<{ id: number }>(answer)
  return id
}

async function upload(url: string, body: Uint8Array<ArrayBuffer>): Promise<{ id: number }> {
  const answer = await fetch(`${url}/v2/builds`, {
    method: 'POST',
    headers: { 'X-Service-Token': token, 'X-Service-Application-Alias': 'crash' },
    body,
  })
  assert.equal(answer.status, 201)
  return await readAnswer<{ id: number }>(answer)
}

function get(url: string): Promise<Response> {
  return fetch(url, { headers: { 'X-Service-Token': token } })
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

async function waitUntil(condition: () => boolean): Promise<void> {
  for (let wait = 0; !condition(); wait++) {
    assert.ok(wait < 200, 'it did not come to be in time')
    await setTimeout(50)
  }
}
