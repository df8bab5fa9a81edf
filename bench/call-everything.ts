/** Calls every route of a server that runs in this process, so that the statements of each are seen. */
import { writeApk } from '@fairlead/binary/fixture'
import type { Config } from '../apps/server/src/config.ts'
import { serve } from '../apps/server/src/serve.ts'
import { readJson } from '../scripts/read-json.ts'
import { createEnvelope } from './crash-envelope.ts'
import type { SeenStatements } from './seen-statements.ts'

export interface Called {
  config: Config
  token: string
  seen: SeenStatements
  /** Searches and filters of lists, by route. */
  queries: Record<string, string[]>
}

type Call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<string>

/** Starts a server and returns a function that calls it and prints calls that take much CPU time. */
async function start({ config, token, seen }: Called): Promise<{ call: Call; close: () => Promise<void> }> {
  const server = await serve(config)
  const call: Call = async (method, path, body, headers = {}) => {
    seen.caller = `${method} ${path}`
    const isRaw = body === undefined || typeof body === 'string' || body instanceof Uint8Array
    const before = process.cpuUsage()
    const answer = await fetch(server.url + path, {
      method,
      headers: {
        // A statement may hold the process for longer than a connection is kept.
        Connection: 'close',
        'X-Service-Token': token,
        ...(!isRaw && { 'Content-Type': 'application/json' }),
        ...(path === '/metrics' && { Authorization: `Bearer ${token}` }),
        ...headers,
      },
      // Nothing else than text and bytes is raw.
      ...(body !== undefined && { body: isRaw ? body : JSON.stringify(body) }),
    }).catch((error: unknown) => {
      console.log(`${seen.caller}: ${String(error)}, ${String(error instanceof Error && error.cause)}`)
    })
    if (!answer) return ''
    const text = await answer.text()
    const { user, system } = process.cpuUsage(before)
    const ms = (user + system) / 1000
    if (answer.status >= 500 || ms > 100) console.log(`${Math.round(ms)} ms CPU, ${answer.status}: ${seen.caller}`)
    return answer.headers.get('location') ?? text
  }
  return { call, close: () => server.close() }
}

/** Sends one build, crash and test report, whose rows are copied then. */
export async function sendFirst(called: Called): Promise<void> {
  const { call, close } = await start(called)
  await call('POST', '/v1/applications', { name: 'Bench', alias: 'bench', platform: 'android' })
  const alias = { 'X-Service-Application-Alias': 'bench' }
  await call('POST', '/v2/builds', writeApk({ packageName: 'com.example.bench' }), alias)
  const { key } = readJson<{ key: string }>(await call('POST', '/v1/applications/1/crashKeys', { name: 'Bench' }))
  await call('POST', `/api/1/envelope/?sentry_key=${key}`, createEnvelope(1).plain)
  const flaky = '<flakyFailure message="late" type="Error"/>'
  const report = (inner: string) =>
    `<testsuite name="unit"><testcase name="a" classname="A" time="1">${inner}</testcase></testsuite>`
  for (const [run, inner] of ['<failure message="no" type="Error">at A.a(A.kt:1)</failure>', '', flaky].entries()) {
    await call('POST', '/v1/testReports', report(inner), {
      ...alias,
      'X-Service-Run-Key': String(run),
      'X-Service-Branch': 'main',
      'X-Service-Commit': 'c0ffee',
    })
    await call('POST', `/v1/testRuns/${run + 1}/complete`)
  }
  for (;;) {
    const intake = readJson<{ pendingCount: number }>(await call('GET', '/v1/applications/1/crashIntake'))
    if (intake.pendingCount === 0) break
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  await close()
}

export async function callEverything(called: Called, id: number): Promise<void> {
  const { call, close } = await start(called)
  type Operation = { requestBody?: { content: Record<string, { example?: unknown }> } }
  const { paths } = readJson<{
    paths: Record<string, Record<string, Operation>>
  }>(await call('GET', '/openapi.json'))
  const isLong = (path: string) => /export|applicationId\}$|applications$/.test(path)
  const fillIn = (path: string, number: number) =>
    path.replace('{buildId}', String(id)).replaceAll(/\{\w+\}/g, String(number))
  for (const [path, operations] of Object.entries(paths)) {
    if (!('get' in operations) || path.includes('binary')) continue
    for (const search of ['limit=50', ...(called.queries[path] ?? []).map((text) => `limit=50&${text}`)]) {
      await call('GET', `${fillIn(path, 1)}?${search}`)
    }
  }
  for (const path of ['/metrics', '/readyz', `/v1/applications/2`]) await call('GET', path)
  for (const [path, operations] of Object.entries(paths)) {
    for (const method of ['post', 'put', 'patch']) {
      const example = operations[method]?.requestBody?.content['application/json']?.example
      if (!(method in operations) || /session|setup|workspace|account|twoFactor|discard/i.test(path)) continue
      await call(method.toUpperCase(), fillIn(path, 3), example)
    }
  }
  const alias = { 'X-Service-Application-Alias': 'bench' }
  const apk = writeApk({ packageName: 'com.example.bench', versionCode: 7 })
  await call('POST', '/v2/builds', apk, { ...alias, 'Idempotency-Key': 'once' })
  const upload = { ...alias, 'Tus-Resumable': '1.0.0', 'Upload-Length': String(apk.length) }
  const part = { 'Tus-Resumable': '1.0.0', 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' }
  const location = new URL(await call('POST', '/v2/uploads', undefined, upload), 'http://localhost').pathname
  await call('PATCH', location, apk, part)
  await call('POST', `/v1/builds/${id}/distribute`, { distributionGroupNames: ['QA'], notifyTesters: true })
  await call('POST', '/v1/testReports', '<testsuite name="u"><testcase name="b" classname="B"/></testsuite>', alias)
  const link = readJson<{ installUrl?: string }>(await call('GET', `/v1/builds/${id}`))
  await call('GET', new URL(link.installUrl ?? '/', 'http://localhost').pathname)
  await call('DELETE', '/v1/applications/1/crashes?installId=install-77')
  for (const [path, operations] of Object.entries(paths)) {
    if (!('delete' in operations) || isLong(path) || /session|account|twoFactor/i.test(path)) continue
    await call('DELETE', fillIn(path, 4))
  }
  // Jobs that the calls above have enqueued run meanwhile.
  called.seen.caller = 'jobs'
  await new Promise((resolve) => setTimeout(resolve, 5000))
  await close()
}
