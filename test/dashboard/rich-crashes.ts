/** The crashes and sessions of the rich workspace. */
import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import type { Call } from './rich-call.ts'

const dayMs = 86_400_000
const [crashCount, sessionCount] = [264, 560]

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

/** Sends them to an application, over four weeks. */
export async function sendCrashes(call: Call, baseUrl: string, applicationId: number): Promise<void> {
  const { key } = await call<{ key: string }>('POST', `/v1/applications/${applicationId}/crashKeys`, {
    name: 'Release builds',
  })
  const intake = `${baseUrl}/api/${applicationId}`
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
}

/** Waits until every crash is in its group. */
export async function waitForCrashes(call: Call, applicationId: number): Promise<void> {
  for (let waited = 0; ; waited++) {
    const { pendingCount } = await call<{ pendingCount: number }>(
      'GET',
      `/v1/applications/${applicationId}/crashIntake`,
    )
    if (pendingCount === 0) break
    assert.ok(waited < 2000)
    await setTimeout(100)
  }
}
