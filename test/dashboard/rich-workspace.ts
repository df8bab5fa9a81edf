/**
 * Fills a server with what a team has after some months: 10 applications, 70 builds, 1,040 testers, 264 crashes and 31
 * runs of tests, with names that are long, foreign or missing. For looking at pages, not for tests.
 */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { createSigner, writeApk, writeIcon, writeIpa } from '@fairlead/binary/fixture'
import type { Build, SetUpDone, TestReport } from '@fairlead/contract'
import { createPng } from '../../apps/server/src/testing/pictures.ts'
import { readAnswer, readJson } from '../../scripts/read-json.ts'
import { startServerProcess } from '../processes/server-process.ts'
import { password, waitForSetUpUrl } from './first-start.ts'

const dayMs = 86_400_000
const [buildCount, crashCount, sessionCount, runCount] = [70, 264, 560, 31]

const applications = [
  { name: 'Lighthouse Harbor Guide', alias: 'lighthouse', platform: 'android', icon: [12, 122, 140] },
  {
    name: 'Lighthouse Harbor Guide for iPhone and iPad',
    alias: 'lighthouse-ios',
    platform: 'ios',
    icon: [12, 122, 140],
  },
  { name: 'Pier Payments', alias: 'pier', platform: 'android', icon: [180, 60, 60] },
  {
    name: 'Kai-Verwaltung für Hafenbehörden und Lotsendienste (Innenstadt)',
    alias: 'kai-verwaltung-fuer-hafenbehoerden',
    platform: 'android',
    icon: [40, 90, 180],
  },
  { name: '港口指南', alias: 'harbor-zh', platform: 'android', icon: [90, 160, 60] },
  { name: 'Tide', alias: 'tide', platform: 'ios', icon: [30, 30, 30] },
  { name: 'Moor', alias: 'moor', platform: 'android', icon: [200, 160, 20] },
  { name: 'Buoy Diagnostics', alias: 'buoy', platform: 'android', icon: [120, 60, 160] },
  { name: 'Signal Book', alias: 'signal-book', platform: 'ios', icon: [220, 220, 220] },
  { name: 'Unbuilt', alias: 'unbuilt', platform: 'android', icon: [0, 0, 0] },
] as const

const branches = [
  'main',
  'main',
  'main',
  'release/2.3',
  'feature/offline-charts',
  'mara.lindqvist/fix-the-tide-table-when-the-harbor-has-two-clocks-JIRA-4711',
]
const notes = [
  '## New\n\n- Charts work **offline**, also those of harbors that you have never opened\n- Faster start\n\n' +
    '- [x] tested on Pixel 4a\n- [ ] tested on tablets',
  'Fixes the crash when a harbor has two clocks.',
  'Bumps the SDK. Please look at the *payment sheet* with a large font and tell us in the channel whether ' +
    'the button “Pay and continue to the confirmation” still fits on your phone.',
  '',
]
const crashes = [
  ['java.lang.IllegalStateException', 'no chart for harbor 4711', 'com.example.lighthouse.chart.ChartLoader', 'load'],
  [
    'java.lang.NullPointerException',
    "Attempt to invoke virtual method 'java.lang.String " +
      "com.example.lighthouse.model.Harbor.getLocalizedNameForDisplayInTables()' on a null object reference",
    'a.b.c',
    'b',
  ],
  ['java.net.SocketTimeoutException', 'timeout', 'com.example.lighthouse.net.TideClient', 'fetch'],
  [
    'java.lang.OutOfMemoryError',
    'Failed to allocate a 67108880 byte allocation with 25165824 free bytes',
    'com.example.lighthouse.map.TileCache',
    'decode',
  ],
  [
    'kotlin.UninitializedPropertyAccessException',
    'lateinit property binding has not been initialized',
    'com.example.lighthouse.ui.HarborDetailsBottomSheetDialogFragment',
    'onDestroyView',
  ],
  ['android.database.sqlite.SQLiteFullException', '', 'com.example.lighthouse.data.Store', 'write'],
  ['java.lang.SecurityException', 'Permission denied: 港口', 'a.b.d', 'a'],
  ['java.util.ConcurrentModificationException', 'null', 'com.example.lighthouse.route.Router', 'plan'],
] as const

export interface RichWorkspace {
  /** The paths of the pages, one of each kind and more where it may be empty. */
  paths: string[]
  /** The session cookie of an administrator, in the form that Playwright takes but for its URL. */
  cookie: { name: string; value: string }
}

/** Fills the folder of a server that is not running. */
export async function fillRichly(dataDir: string): Promise<RichWorkspace> {
  const workspace = await fillThroughServer(dataDir)
  spreadDates(dataDir)
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
  const call = async <Answer>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> => {
    const isBytes = body instanceof Uint8Array
    const isText = typeof body === 'string'
    const type = isBytes ? 'application/octet-stream' : isText ? 'text/plain' : 'application/json'
    const sent = isBytes ? new Uint8Array(body) : isText ? body : JSON.stringify(body)
    const answer = await fetch(baseUrl + path, {
      method,
      headers: { 'X-Service-Token': token, ...(body !== undefined && { 'Content-Type': type }), ...headers },
      ...(body !== undefined && { body: sent }),
    })
    const text = await answer.text()
    assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text.slice(0, 500)}`)
    return readJson<Answer>(text === '' ? 'null' : text)
  }
  const ids: number[] = []
  for (const { name, alias, platform } of applications) {
    ids.push((await call<{ id: number }>('POST', '/v1/applications', { name, alias, platform })).id)
  }
  const signers = [createSigner()]
  const builds: Build[] = []
  for (let number = 0; number < buildCount; number++) {
    const place = number < 40 ? 0 : 1 + (number % 8)
    const app = applications[place]!
    const version =
      number === 38 ? '2.3.0-beta.14+nightly.20261122.1f3a9b2c' : `2.${Math.floor(number / 12)}.${number % 12}`
    const headers = {
      'X-Service-Application-Alias': app.alias,
      'X-Service-Branch': branches[number % branches.length]!,
      'X-Service-Commit': String(number).padStart(2, '0').repeat(20),
      'X-Service-CI-Url': `https://ci.example.com/harbor/lighthouse/runs/${number}`,
    }
    const body =
      app.platform === 'ios'
        ? writeIpa({
            name: app.name,
            bundleIdentifier: `com.example.${app.alias.replaceAll('-', '')}`,
            shortVersion: version,
            version: String(20200 + number),
          })
        : writeApk({
            packageName: `com.example.${app.alias.replaceAll('-', '')}`,
            label: app.name,
            versionCode: 20200 + number,
            versionName: version,
            signers,
            permissions: [
              'android.permission.INTERNET',
              'android.permission.CAMERA',
              ...(number > 30 ? ['android.permission.ACCESS_FINE_LOCATION'] : []),
            ],
            architectures: ['arm64-v8a', 'x86_64'],
            icon: writeIcon(96, [...app.icon]),
            files: [{ name: 'assets/data.bin', data: Buffer.alloc(200_000 + number * 7000, number) }],
          })
    const build = await call<Build>('POST', '/v2/builds', body, headers)
    builds.push(build)
    const text = notes[number % notes.length]
    if (text) await call('PATCH', `/v2/builds/${build.id}`, { releaseNotes: text })
  }
  const groups: number[] = []
  for (const [name, count] of [
    ['Everyone inside the harbor', 1000],
    ['Beta', 38],
    ['Press', 2],
    ['Nobody yet', 0],
  ] as const) {
    const { id } = await call<{ id: number }>('POST', '/v1/distributionGroups', { name })
    groups.push(id)
    const emails = Array.from({ length: count }, (_, index) =>
      index === 3
        ? 'a.very.long.address.that.somebody.really.has.got.at.work@subsidiary.department.example.com'
        : `${name.split(' ')[0]!.toLowerCase()}.${index}@example.com`,
    )
    for (let start = 0; start < emails.length; start += 100) {
      await call('POST', `/v1/distributionGroups/${id}/testers`, { emails: emails.slice(start, start + 100) })
    }
  }
  const newest = builds.filter(({ applicationId }) => applicationId === ids[0])
  const last = newest.at(-1)!
  await call('POST', `/v1/builds/${last.id}/distribute`, {
    distributionGroupIds: [groups[1], groups[2]],
    notifyTesters: true,
  })
  await call('POST', `/v1/builds/${newest.at(-4)!.id}/distribute`, {
    distributionGroupIds: [groups[0]],
    notifyTesters: false,
  })
  await call('POST', `/v1/applications/${ids[0]}/latestLinks`, {
    name: 'Beta of main',
    distributionGroupId: groups[1],
    branch: 'main',
  })
  await call('PUT', `/v1/builds/${last.id}/commits`, {
    base: '37'.repeat(20),
    head: '39'.repeat(20),
    isComplete: true,
    commits: Array.from({ length: 7 }, (_, index) => ({
      id: `${39 - index}`.repeat(20),
      date: new Date(Date.now() - index * 7_200_000).toISOString(),
      subject: [
        'Load charts in the background',
        'Draw the tide table in two zones when the harbor has two clocks, as the pilots of Antwerp asked for',
        'Fix tests',
      ][index % 3],
      author: { name: ['Mara Lindqvist', 'Jürgen Müller-Lüdenscheidt'][index % 2], email: 'mara@example.com' },
      files: [{ path: 'app/src/main/java/com/example/lighthouse/chart/ChartLoader.kt', status: 'M', hunks: [[84, 3]] }],
    })),
  })
  const feedback = new FormData()
  feedback.append('text', 'The tide table of Hamburg is empty.\nI was offline.')
  feedback.append('pictures', new Blob([new Uint8Array(createPng({ width: 180, height: 390 }))]), 'screen.png')
  await fetch(`${last.installUrl}/feedback`, {
    method: 'POST',
    headers: { Accept: 'application/json' },
    body: feedback,
  })

  const { key } = await call<{ key: string }>('POST', `/v1/applications/${ids[0]}/crashKeys`, {
    name: 'Release builds',
  })
  const intake = `${baseUrl}/api/${ids[0]}`
  const send = async (path: string, body: string) => {
    const answer = await fetch(`${intake}/${path}/?sentry_key=${key}`, { method: 'POST', body })
    assert.equal(answer.status, 200, await answer.text())
  }
  for (let number = 0; number < crashCount; number++) {
    const kind = number < 90 ? 1 : number % 40
    const [type, value, module, method] = crashes[kind % crashes.length]!
    const day = Math.floor((number * 7) % 28)
    const version = [20236, 20237, 20239][number % 3]!
    const short = version === 20239 ? '2.3.3' : version === 20237 ? '2.3.1' : '2.3.0'
    await send(
      'store',
      JSON.stringify({
        event_id: String(number).padStart(32, '0'),
        platform: 'java',
        level: 'fatal',
        timestamp: new Date(Date.now() - day * dayMs - number * 60_000).toISOString(),
        release: `com.example.lighthouse@${short}+${version}`,
        environment: number % 9 === 0 ? 'staging' : 'production',
        user: { id: `user ${number % 60}` },
        tags: { tenant: number % 2 ? 'acme' : 'globex' },
        contexts: {
          os: { name: 'Android', version: String(10 + (number % 6)) },
          device: { model: ['Pixel 8', 'SM-G991B', 'Fairphone 5'][number % 3], manufacturer: 'Google' },
        },
        breadcrumbs: Array.from({ length: 12 }, (_, index) => ({
          category: index % 2 ? 'http' : 'ui.click',
          message:
            index % 2
              ? 'GET https://tides.example.com/v3/harbors/4711/tables?from=2026-11-01&to=2026-12-01 200'
              : 'openChart',
          timestamp: new Date(Date.now() - day * dayMs - number * 60_000 - index * 800).toISOString(),
        })),
        exception: {
          values: [
            {
              type: type.split('.').at(-1),
              module: type.split('.').slice(0, -1).join('.'),
              value: value || undefined,
              mechanism: { type: 'UncaughtExceptionHandler', handled: false },
              stacktrace: {
                frames: [
                  {
                    module: 'android.os.Looper',
                    function: 'loop',
                    lineno: 257,
                    filename: 'Looper.java',
                    in_app: false,
                  },
                  {
                    module: 'com.example.lighthouse.MainActivity',
                    function: 'onCreate',
                    lineno: 20,
                    filename: 'MainActivity.kt',
                    in_app: true,
                  },
                  {
                    module,
                    function: `${method}${kind < 8 ? '' : kind}`,
                    lineno: 17 + kind,
                    filename: 'SourceFile',
                    in_app: true,
                  },
                ],
              },
            },
          ],
        },
      }),
    )
  }
  for (let number = 0; number < sessionCount; number++) {
    const started = new Date(Date.now() - (number % 28) * dayMs).toISOString()
    const version = [20236, 20237, 20239][number % 3]!
    const short = version === 20239 ? '2.3.3' : version === 20237 ? '2.3.1' : '2.3.0'
    const attrs = { release: `com.example.lighthouse@${short}+${version}`, environment: 'production' }
    const status = (number * 13) % 61 === 0 ? 'crashed' : 'ok'
    const item = { sid: `s${number}`, did: `u${number % 90}`, init: true, status, started, timestamp: started, attrs }
    await send('envelope', [{}, { type: 'session' }, item].map((line) => JSON.stringify(line)).join('\n'))
  }
  const runs: number[] = []
  for (let run = 0; run < runCount; run++) {
    const cases = Array.from({ length: 120 }, (_, index) => {
      const suite = [
        'com.example.lighthouse.chart.ChartLoaderTest',
        'com.example.lighthouse.pay.PaymentSheetTest',
        'com.example.lighthouse.TideTableTest',
      ][index % 3]!
      const name =
        index === 5
          ? 'draws the tide table in two zones when the harbor has two clocks and the device is set to a third one'
          : `case ${index} keeps the chart of harbor ${index * 7}`
      const start = `<testcase classname="${suite}" name="${name}" time="${(0.05 * (index + 1)).toFixed(2)}">`
      const fails = (index === 3 && run >= 24) || (index === 5 && run === 30) || (index === 40 && run % 7 === 6)
      if (fails) {
        const message = 'expected:&lt;14:05&gt; but was:&lt;15:05&gt; in the table of Antwerp, which has two clocks'
        const trace =
          'java.lang.AssertionError: expected\n' +
          `\tat com.example.lighthouse.TideTableTest.draws(TideTableTest.kt:${41 + index})\n` +
          '\tat org.junit.Runner.run(Runner.java:99)'
        return `${start}<failure type="java.lang.AssertionError" message="${message}">${trace}</failure></testcase>`
      }
      if (index === 7 && run % 3 === 0) return `${start}<flakyFailure message="timed out" type="Timeout"/></testcase>`
      return `${start}${index === 9 ? '<skipped/>' : ''}</testcase>`
    })
    const report = `<testsuite name="connectedDebugAndroidTest">${cases.join('\n')}</testsuite>`
    const build = newest[Math.min(newest.length - 1, 8 + run)]!
    const { run: sent } = await call<TestReport>('POST', '/v1/testReports', report, {
      'X-Service-Application-Alias': 'lighthouse',
      'X-Service-Branch': run % 5 === 4 ? 'feature/offline-charts' : 'main',
      'X-Service-Commit': String(run + 9)
        .padStart(2, '0')
        .repeat(20),
      'X-Service-Run-Key': `nightly ${4100 + run}`,
      'X-Service-Build-Id': String(build.id),
      'X-Service-CI-Url': `https://ci.example.com/harbor/lighthouse/runs/${run}`,
    })
    runs.push(sent.id)
    if (run !== 29) await call('POST', `/v1/testRuns/${sent.id}/complete`, {})
  }
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
  for (let waited = 0; ; waited++) {
    const { pendingCount } = await call<{ pendingCount: number }>('GET', `/v1/applications/${ids[0]}/crashIntake`)
    if (pendingCount === 0) break
    assert.ok(waited < 2000)
    await setTimeout(100)
  }
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
