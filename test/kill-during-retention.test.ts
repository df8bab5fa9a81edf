import assert from 'node:assert/strict'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, it } from 'node:test'
import { type Build, RetentionPreview, RetentionRun } from '@fairlead/contract'
import { fillBuilds } from '../bench/fill-builds.ts'
import { readAnswer } from '../scripts/read-json.ts'
import { openTemporaryFolder, startServerProcess, token } from './processes/server-process.ts'

const builds = 9000
/** How often the server is killed while the run is under way. */
const kills = 3

describe('a server that is killed while it moves builds to the trash', () => {
  it('goes on where it was, moves what the dry run named and nothing else, and undo restores all', async () => {
    await using folder = await openTemporaryFolder()
    const dataDir = folder.path
    const env = { FAIRLEAD_BASE_URL: 'https://builds.example.com' }
    // The first start creates the tables.
    await (await startServerProcess({ dataDir, env }))[Symbol.asyncDispose]()
    await fillBuilds(join(dataDir, 'fairlead.db'), builds)
    const rules = {
      isEnabled: true,
      keepDistributedDays: 0,
      rules: [{ branches: ['*'], maxAgeDays: 30, keepNewest: 5 }],
    }
    let named: number[] = []
    let before: string[] = []
    let runId = 0
    let trashed = 0
    for (let kill = 0; kill < kills; kill++) {
      await using server = await startServerProcess({ dataDir, env })
      if (runId === 0) {
        before = await listBuilds(server.url)
        await call(server.url, 'PUT', '/v1/applications/1/retention', rules)
        const preview = RetentionPreview.parse(await call(server.url, 'POST', '/v1/applications/1/retention/preview'))
        named = preview.builds.map(({ id }) => id)
        assert.ok(named.length > builds / 2, 'the rules take most builds')
        runId = RetentionRun.parse(await call(server.url, 'POST', '/v1/applications/1/retention/runs')).id
      }
      trashed = await waitForMore(server.url, runId, trashed)
      await server.end('SIGKILL')
    }
    assert.ok(trashed > 0 && trashed < named.length, 'the kills came while builds were being moved')
    await using server = await startServerProcess({ dataDir, env })
    const run = await finish(server.url, runId)
    assert.deepEqual(
      [run.state, run.candidateCount, run.trashedCount, run.sparedCount],
      ['done', named.length, named.length, 0],
    )
    const trash = await readAnswer<Build[]>(await get(server.url, '/v1/applications/1/trash'))
    assert.deepEqual(
      trash.map(({ id }) => id),
      named,
    )
    const undone = RetentionRun.parse(await call(server.url, 'POST', `/v1/retentionRuns/${runId}/undo`))
    assert.equal(undone.restoredCount, named.length)
    assert.deepEqual(await listBuilds(server.url), before)
  })
})

/** Waits until a run has moved more builds, so that a kill comes between two of its transactions, or in one. */
async function waitForMore(url: string, runId: number, before: number): Promise<number> {
  for (let waited = 0; waited < 2000; waited++) {
    const run = RetentionRun.parse(await call(url, 'GET', `/v1/retentionRuns/${runId}`))
    assert.equal(run.state, 'running', 'the run is not over before it is interrupted')
    if (run.trashedCount > before) return run.trashedCount
    await setTimeout(10)
  }
  throw new Error('the run does not go on')
}

async function finish(url: string, runId: number): Promise<RetentionRun> {
  for (let waited = 0; waited < 600; waited++) {
    const run = RetentionRun.parse(await call(url, 'GET', `/v1/retentionRuns/${runId}`))
    if (run.state !== 'running') return run
    await setTimeout(100)
  }
  throw new Error('the run does not end')
}

/** All builds as the API shows them, each as its JSON. */
async function listBuilds(url: string): Promise<string[]> {
  const listed = await readAnswer<Build[]>(await get(url, '/v1/applications/1/builds'))
  return listed.map((build) => JSON.stringify(build))
}

function get(url: string, path: string): Promise<Response> {
  return fetch(url + path, { headers: { 'X-Service-Token': token } })
}

async function call(url: string, method: string, path: string, json?: object): Promise<unknown> {
  const headers = { 'X-Service-Token': token, ...(json && { 'Content-Type': 'application/json' }) }
  const answer = await fetch(url + path, { method, headers, ...(json && { body: JSON.stringify(json) }) })
  assert.ok(answer.ok, `${method} ${path}: ${answer.status}`)
  return answer.json()
}
