/**
 * Fills a server with what a team has after some months: 10 applications, 70 builds, 1,040 testers, 264 crashes and 31
 * runs of tests, with names that are long, foreign or missing. For looking at pages, not for tests.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { SetUpDone } from '@fairlead/contract'
import { readAnswer, readJson } from '../../scripts/read-json.ts'
import { startServerProcess } from '../processes/server-process.ts'
import { password, waitForSetUpUrl } from './first-start.ts'
import { buildCount, createApplications, createGroups, distributeBuilds, uploadBuilds } from './rich-builds.ts'
import { createCall } from './rich-call.ts'
import { sendCrashes, waitForCrashes } from './rich-crashes.ts'
import { runCount, sendTestRuns } from './rich-test-runs.ts'

const dayMs = 86_400_000

export interface RichWorkspace {
  /** The paths of the pages, one of each kind and more where it may be empty. */
  paths: string[]
  /** The session cookie of an administrator, in the form that Playwright takes but for its URL. */
  cookie: { name: string; value: string }
}

/** Fills the folder of a server that is not running. */
async function fillRichly(dataDir: string): Promise<RichWorkspace> {
  const workspace = await fillThroughServer(dataDir)
  spreadDates(dataDir)
  return workspace
}

/** Fills a folder that keeps the data unless an earlier call has. */
export async function fillRichlyOnce(dataDir: string): Promise<RichWorkspace> {
  const note = join(dataDir, 'workspace.json')
  const known = await readFile(note, 'utf8').catch(() => undefined)
  if (known !== undefined) return readJson<RichWorkspace>(known)
  const workspace = await fillRichly(dataDir)
  await writeFile(note, JSON.stringify(workspace))
  return workspace
}

async function fillThroughServer(dataDir: string): Promise<RichWorkspace> {
  await using server = await startServerProcess({ dataDir, env: { FAIRLEAD_INITIAL_API_TOKEN: '' } })
  const setUpUrl = await waitForSetUpUrl(server)
  const setUp = await fetch(`${server.url}/v1/setup`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      code: new URL(setUpUrl).searchParams.get('code'),
      email: 'ada@example.com',
      name: 'Ada Lovelace',
      password,
      workspaceName: 'Harbor Labs',
    }),
  })
  const { apiToken } = await readAnswer<SetUpDone>(setUp)
  const [name = '', value = ''] = (setUp.headers.getSetCookie()[0] ?? '').split(';')[0]?.split('=') ?? []
  const paths = await fill(server.url, apiToken.token)
  await server.end('SIGTERM')
  return { paths, cookie: { name, value } }
}

/** Moves builds and runs into the past, over a month, as no request can. */
function spreadDates(dataDir: string): void {
  const database = new DatabaseSync(join(dataDir, 'fairlead.db'))
  const now = Date.now()
  database.exec(`
    update builds set uploaded_at = ${now} - (${buildCount} - id) * ${dayMs / 2} - id * 733331;
    update test_runs set created_at = ${now} - (${runCount} - id) * ${dayMs} - id * 833331 - 3600000;
    update test_runs set updated_at = created_at + 600000, completed_at = iif(completed_at, created_at + 600000, null)`)
  database.close()
}

async function fill(baseUrl: string, token: string): Promise<string[]> {
  const call = createCall(baseUrl, token)
  const ids = await createApplications(call)
  const builds = await uploadBuilds(call)
  const groups = await createGroups(call)
  const newest = builds.filter(({ applicationId }) => applicationId === ids[0])
  const last = newest.at(-1)!
  await distributeBuilds(call, newest, groups)
  await sendCrashes(call, baseUrl, ids[0]!)
  const runs = await sendTestRuns(call, newest)
  await call('POST', '/v1/hooks', {
    name: 'Release channel',
    url: 'https://hooks.example.invalid/services/T000/B000',
    events: ['*'],
  })
  const hook = await call<{ id: number }>('POST', '/v1/hooks', {
    name: 'Chat of the whole harbor team, including the night shift',
    url: 'https://receiver.invalid/',
    events: ['*'],
  })
  await call('POST', `/v1/hooks/${hook.id}/test`, {})
  await call('POST', '/v1/apiTokens', { name: 'GitHub Actions', role: 'developer' })
  await call('POST', '/v1/apiTokens', {
    name: 'A token of which nobody knows any more what it was once made for',
    role: 'viewer',
  })
  await call('POST', '/v1/invitations', { email: 'vera@example.com', role: 'viewer' })
  await waitForCrashes(call, ids[0]!)
  const root = `/applications/${ids[0]}`
  const list = await call<{ id: number }[]>('GET', `/v1${root}/crashGroups`)
  const group = list[0]!
  await call('PATCH', `/v1/crashGroups/${list[3]!.id}`, { status: 'resolved' })
  const [crash] = await call<{ id: number }[]>('GET', `/v1/crashGroups/${group.id}/crashes`)
  const run = runs.at(-1)!
  const results = await call<{ testId: number }[]>('GET', `/v1/testRuns/${run}/results?outcome=failed`)
  return [
    '/applications',
    root,
    `${root}/builds`,
    `${root}/crashes`,
    `${root}/crashes/${group.id}`,
    `${root}/crash-reports/${crash!.id}`,
    `${root}/stability`,
    `${root}/crash-rules`,
    `${root}/crash-set-up`,
    `${root}/tests`,
    `${root}/tests/all`,
    `${root}/tests/runs/${run}`,
    `${root}/tests/runs/${run}/comparison`,
    ...results.slice(0, 2).map(({ testId }) => `${root}/tests/${testId}`),
    `${root}/links`,
    `${root}/feedback`,
    `${root}/retention`,
    `${root}/alerts`,
    `${root}/symbols`,
    `${root}/crash`,
    `${root}/ci`,
    `${root}/settings`,
    `/builds/${last.id}`,
    `/builds/${newest.at(-2)!.id}`,
    `/builds/${builds.at(-1)!.id}`,
    `/applications/${ids[1]}`,
    `/applications/${ids[3]}`,
    `/applications/${ids[9]}`,
    `/applications/${ids[9]}/builds`,
    `/applications/${ids[9]}/crashes`,
    `/applications/${ids[9]}/tests`,
    `/applications/${ids[9]}/stability`,
    '/start',
    '/hooks',
    `/hooks/${hook.id}`,
    '/groups',
    `/groups/${groups[0]}`,
    `/groups/${groups[3]}`,
    '/testers',
    '/devices',
    '/tokens',
    '/agents',
    '/members',
    '/outbox',
    '/audit',
    '/server',
    '/workspace',
    '/account',
    '/builds/999999',
    '/no/such/page',
  ]
}
