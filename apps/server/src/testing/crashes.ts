import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { findBinaryFixtures } from './fixtures.ts'
import type { Answer, TestServer } from './start-server.ts'

/** The folder of crash payloads of real SDKs, beside the builds; undefined when it is not there. */
export function findCrashFixtures(): string | undefined {
  const binaries = findBinaryFixtures()
  return binaries === undefined ? undefined : join(binaries, '..', 'crashes')
}

export interface CrashApplication {
  id: number
  key: string
  sentryDsn: string
}

/** Creates an application with a crash key. */
export async function createCrashApplication(
  server: Pick<TestServer, 'call'>,
  alias: string,
  platform: 'android' | 'ios' = 'android',
): Promise<CrashApplication> {
  const application = await server.call('POST', '/v1/applications', { json: { name: alias, alias, platform } })
  assert.equal(application.status, 201, application.text)
  const { id }: { id: number } = application.json
  const key = await server.call('POST', `/v1/applications/${id}/crashKeys`, { json: { name: 'Release builds' } })
  assert.equal(key.status, 201, key.text)
  return { id, key: key.json.key, sentryDsn: key.json.sentryDsn }
}

/** Sends a body as the SDK of a protocol of truth.json does. */
export function deliver(
  server: Pick<TestServer, 'call'>,
  { id, key }: CrashApplication,
  protocol: string,
  body: Uint8Array | string,
): Promise<Answer> {
  const sentry = { 'X-Sentry-Auth': `Sentry sentry_version=7, sentry_client=test/1, sentry_key=${key}` }
  const acra = `/api/acra/${key}`
  const requests: Record<string, { path: string; headers: Record<string, string> }> = {
    'sentry-envelope': { path: `/api/${id}/envelope/`, headers: sentry },
    'sentry-store': { path: `/api/${id}/store/`, headers: sentry },
    appcenter: { path: '/api/appcenter/logs?api-version=1.0.0', headers: { 'App-Secret': key } },
    'acra-json': { path: acra, headers: { 'Content-Type': 'application/json' } },
    'acra-form': { path: acra, headers: { 'Content-Type': 'application/x-www-form-urlencoded' } },
    'acra-multipart': {
      path: acra,
      headers: { 'Content-Type': 'multipart/form-data; boundary=%&ACRA_REPORT_DIVIDER&%' },
    },
    raw: { path: `/v1/applications/${id}/crashes`, headers: { 'X-Service-Crash-Key': key } },
  }
  const request = requests[protocol]
  assert.ok(request, protocol)
  return server.call('POST', request.path, { token: null, headers: request.headers, body: Buffer.from(body) })
}

/** Waits until everything that was acknowledged can be read. */
export async function waitUntilRead(server: Pick<TestServer, 'call'>, applicationId: number): Promise<Answer> {
  for (;;) {
    const answer = await server.call('GET', `/v1/applications/${applicationId}/crashIntake`)
    assert.equal(answer.status, 200, answer.text)
    if (answer.json.pendingCount === 0) return answer
    await sleep(20)
  }
}

/** Lists all crashes of an application in full. */
// oxlint-disable-next-line typescript/no-explicit-any
export async function listAllCrashes(server: Pick<TestServer, 'call'>, applicationId: number): Promise<any[]> {
  const groups = await server.call('GET', `/v1/applications/${applicationId}/crashGroups`)
  assert.equal(groups.status, 200, groups.text)
  const crashes = []
  for (const { id } of groups.json) {
    const list = await server.call('GET', `/v1/crashGroups/${id}/crashes`)
    assert.equal(list.status, 200, list.text)
    for (const row of list.json) {
      const crash = await server.call('GET', `/v1/crashes/${row.id}`)
      assert.equal(crash.status, 200, crash.text)
      crashes.push(crash.json)
    }
  }
  return crashes
}

export function readFixture(folder: string, file: string): Buffer {
  return readFileSync(join(folder, file))
}
