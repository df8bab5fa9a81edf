/** Installations that tests fill, and move with the commands of `fairlead-server`. */
import { writeDex } from '@fairlead/binary/fixture'
import assert from 'node:assert/strict'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type Config, readConfig } from '../config.ts'
import { serve } from '../serve.ts'
import { createCrashApplication, deliver, waitUntilRead } from './crashes.ts'
import type { TestServer } from './start-server.ts'
import { createTestDatabase } from './test-database.ts'
import { completeRun, uploadReport } from './test-reports.ts'
import { createApplication, uploadApk, uploadIpa } from './upload.ts'
import { runCommand } from '../moving/command.ts'

export const otherToken = 'fl_other-token-of-the-tests-9876543210abc'

type Filled = Pick<TestServer, 'call' | 'token'>

/**
 * Fills an installation with rows of many kinds: equal bytes, symbols, testers, mails, release notes.
 */
export async function fill(server: Filled): Promise<void> {
  await createApplication(server, 'shop')
  await createApplication(server, 'lantern', 'ios')
  await fillHooks(server)
  await fillAlerts(server)
  const config = 'com.example.shop.BuildConfig'
  const dex = writeDex({ classes: [config], withApplicationId: [config] })
  const first = await uploadApk(server, { alias: 'shop', apk: { files: [{ name: 'classes.dex', data: dex }] } })
  await uploadApk(server, { alias: 'shop', apk: { versionCode: 2 } })
  await uploadApk(server, { alias: 'shop', apk: { versionCode: 2 }, headers: { 'Idempotency-Key': 'k' } })
  await uploadIpa(server, { alias: 'lantern', ipa: { bundleIdentifier: 'com.example.lantern' } })
  await server.call('PATCH', `/v2/builds/${first.id}`, { json: { releaseNotes: 'Größer, "schöner"\u2028' } })
  await server.call('POST', '/v1/distributionGroups', { json: { name: 'QA' } })
  await server.call('POST', '/v1/distributionGroups/1/testers', { json: { emails: ['ada@example.com'] } })
  const distribution = { distributionGroupIds: [1], notifyTesters: true }
  assert.equal((await server.call('POST', `/v1/builds/${first.id}/distribute`, { json: distribution })).status, 201)
  const link = await server.call('POST', `/v1/applications/${first.applicationId}/latestLinks`, {
    json: { name: 'Wall', distributionGroupId: 1 },
  })
  assert.equal(link.status, 201, link.text)
  const mapping = await server.call('POST', '/v2/symbolsFiles', {
    headers: {
      'X-Service-Application-Alias': 'shop',
      'X-Service-Package': 'com.example.shop',
      'X-Service-Version-Name': '1.0',
      'X-Service-Version-Code': '1',
    },
    body: 'com.example.Shop -> a.a:\n    1:1:void pay():10:10 -> a\n',
  })
  assert.equal(mapping.status, 201, mapping.text)
  const files = [{ path: 'src/Gate.kt', status: 'R', previousPath: 'src/Door.kt', hunks: [[3, 2]] }]
  const commit = { id: 'b'.repeat(40), date: '2026-11-20T10:00:00Z', subject: 'Größer', author: { name: 'Ada' }, files }
  const commits = await server.call('PUT', `/v1/builds/${first.id}/commits`, {
    json: { base: null, head: 'b'.repeat(40), isComplete: false, commits: [commit] },
  })
  assert.equal(commits.status, 200, commits.text)
  await fillCrashesAndTests(server)
  await declareRelease(server)
}

/** Announces a release and a deploy, as sentry-cli does. */
async function declareRelease(server: Filled): Promise<void> {
  const headers = { Authorization: `Bearer ${server.token}` }
  const send = async (path: string, body: object) => {
    const answer = await server.call('POST', `/api/0/organizations/any/releases/${path}`, {
      token: null,
      headers,
      body: JSON.stringify(body),
    })
    assert.equal(answer.status, 201, answer.text)
  }
  const patch = [{ path: 'src/Gate.kt', type: 'M' }]
  const commits = [{ id: 'c'.repeat(40), timestamp: '2026-11-20T10:00:00Z', patch_set: patch }]
  await send('', { version: 'com.example.shop@1.0+2', projects: ['shop'], commits })
  await send('', { version: 'com.example.shop@1.0+1', projects: ['shop'] })
  await send('com.example.shop@1.0+1/deploys/', { environment: 'production' })
}

/** A hook that is off, which keeps events for later, and one with a delivery that failed. */
async function fillHooks(server: Filled): Promise<void> {
  const create = async (events: string[]): Promise<number> => {
    const json = { name: 'CI', url: 'https://receiver.invalid/', events, applicationIds: [1] }
    const created = await server.call('POST', '/v1/hooks', { json })
    assert.equal(created.status, 201, created.text)
    return created.json.id
  }
  const turnOff = (id: number) => server.call('PATCH', `/v1/hooks/${id}`, { json: { isEnabled: false } })
  await turnOff(await create(['*']))
  const tested = await create(['hook.test'])
  const delivery = await server.call('POST', `/v1/hooks/${tested}/test`)
  assert.equal(delivery.status, 202, delivery.text)
  const path = `/v1/hookDeliveries/${delivery.json.id}`
  while ((await server.call('GET', path)).json.attempts.length === 0) await setTimeout(50)
  await turnOff(tested)
}

/** A rule that tells a hook and a member, and that has fired. */
async function fillAlerts(server: Filled): Promise<void> {
  // Installations share no account, because one that exists already keeps its own values.
  const email = `ruth-${server.token.slice(3, 8)}@example.com`
  const invited = await server.call('POST', '/v1/invitations', { json: { email, role: 'viewer' } })
  const token = new URL(invited.json.inviteUrl).searchParams.get('token')
  const person = { token, name: 'Ruth', password: 'correct horse battery' }
  assert.equal((await server.call('POST', '/v1/invitations/accept', { json: person })).status, 201)
  const { json: members } = await server.call('GET', '/v1/members')
  const accountIds = members.map(({ accountId }: { accountId: number }) => accountId)
  const rule = { name: 'New', kind: 'newCrashGroup', hookIds: [1], accountIds }
  const created = await server.call('POST', '/v1/applications/1/alertRules', { json: rule })
  assert.equal(created.status, 201, created.text)
}

/** A crash, and two runs of one commit in which a test fails and passes. */
async function fillCrashesAndTests(server: Filled): Promise<void> {
  const application = await createCrashApplication(server, 'tested')
  const event = { event_id: 'a'.repeat(32), platform: 'java', level: 'fatal', release: 'com.example.shop@1.0+1' }
  const exception = { values: [{ type: 'IllegalStateException', value: 'closed' }] }
  const delivered = await deliver(server, application, 'sentry-store', JSON.stringify({ ...event, exception }))
  assert.equal(delivered.status, 200, delivered.text)
  await waitUntilRead(server, application.id)
  for (const cases of [[{ name: 'pays', failure: 'no money' }], [{ name: 'pays' }]]) {
    const report = await uploadReport(server, cases, { alias: 'tested', branch: 'main', commit: 'c'.repeat(40) })
    await completeRun(server, report.run.id)
  }
}

interface Target extends AsyncDisposable {
  config: Config
}

/** An empty installation on the engines that the tests run on. */
export async function openTarget(folder: string): Promise<Target> {
  const dataDir = await mkdtemp(join(folder, 'target-'))
  const database = await createTestDatabase()
  return {
    config: toConfig({
      FAIRLEAD_DATA_DIR: dataDir,
      ...toDatabase(database.url),
    }),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}

export function toDatabase(url: string | null): Record<string, string> {
  return url === null ? {} : { FAIRLEAD_DATABASE_URL: url }
}

export function toConfig(env: Record<string, string>, server?: TestServer): Config {
  const config = readConfig({
    FAIRLEAD_PORT: '0',
    FAIRLEAD_LOG_LEVEL: 'silent',
    FAIRLEAD_INITIAL_API_TOKEN: otherToken,
    ...env,
  })
  return server ? { ...config, storage: server.storage } : config
}

export async function serveAt(config: Config): Promise<{ url: string } & AsyncDisposable> {
  const server = await serve(config)
  return { url: server.url, [Symbol.asyncDispose]: () => server.close() }
}

export function toTestServer(url: string, token: string): Filled {
  return {
    token,
    async call(method, path, { headers = {}, json, body } = {}) {
      const response = await fetch(url + path, {
        method,
        headers: {
          'X-Service-Token': token,
          ...(json !== undefined && { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(json !== undefined && { body: JSON.stringify(json) }),
        ...(body !== undefined && { body }),
      })
      const bytes = Buffer.from(await response.arrayBuffer())
      const text = bytes.toString('utf8')
      const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
      return {
        status: response.status,
        headers: response.headers,
        bytes,
        text,
        json: isJson ? JSON.parse(text) : undefined,
      }
    },
  }
}

export async function run(config: Config, ...words: (string | undefined)[]) {
  const lines: string[] = []
  const args = words.filter((word) => word !== undefined)
  const code = await runCommand(args, config, { write: (line) => void lines.push(line), error: () => {} })
  return { code, text: lines.join('\n') }
}
