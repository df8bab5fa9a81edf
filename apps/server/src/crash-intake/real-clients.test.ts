/** The clients that apps and CI jobs use, unchanged, against the real server. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, normalize } from 'node:path'
import { after, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { captureException, flush, init, setUser } from '@sentry/node'
import { chromium } from 'playwright-core'
import { createCrashApplication, deliver, listAllCrashes, waitUntilRead } from '../testing/crashes.ts'
import { startServer } from '../testing/start-server.ts'
import { requireAddress } from '../http/listening-address.ts'

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'
const require = createRequire(import.meta.url)
const run = promisify(execFile)

describe('real clients', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())

  it('@sentry/node reports a caught error', async () => {
    const app = await createCrashApplication(server, 'node')
    init({ dsn: toReachable(app.sentryDsn), release: 'shop@2.1.0+42' })
    setUser({ id: 'seven', email: 'ada@example.com', ip_address: '203.0.113.9' })
    captureException(new TypeError('no cart for ada@example.com', { cause: new Error('the root') }))
    assert.ok(await flush(5000))
    await waitUntilRead(server, app.id)
    const crashes = await listAllCrashes(server, app.id)
    assert.equal(crashes.length, 1)
    const [crash] = crashes
    assert.deepEqual(
      crash.exceptions.map(({ type }: { type: string }) => type),
      ['TypeError', 'Error'],
    )
    assert.equal(crash.exceptions[0].message, 'no cart for <email>')
    assert.deepEqual([crash.package, crash.shortVersion, crash.version], ['shop', '2.1.0', '42'])
    assert.equal(crash.kind, 'handled')
    assert.match(crash.installId, /^[0-9a-f]{16}$/)
    assert.ok(crash.frameCount > 0)
  })

  it(
    '@sentry/browser reports an uncaught error from a page of another origin',
    { skip: !existsSync(executablePath) },
    async () => {
      const app = await createCrashApplication(server, 'browser')
      const page = await servePage(toReachable(app.sentryDsn))
      const browser = await chromium.launch({
        executablePath,
        args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-sync'],
      })
      try {
        const tab = await browser.newPage()
        // The session of the page is in an envelope of its own, which may come first.
        const sent = tab.waitForResponse(
          (response) =>
            response.url().includes('/envelope/') &&
            response.status() === 200 &&
            response.request().postData()?.includes('"type":"event"') === true,
        )
        await tab.goto(page.url)
        await sent
        await waitUntilRead(server, app.id)
        const crashes = await listAllCrashes(server, app.id)
        assert.equal(crashes.length, 1)
        assert.deepEqual(crashes[0].exceptions, [{ type: 'RangeError', message: 'the page broke' }])
        assert.equal(crashes[0].shortVersion, '3.0')
        assert.equal(crashes[0].isFatal, true)
      } finally {
        await browser.close()
        page.close()
      }
    },
  )

  it('@sentry/cli uploads a mapping, and the crash that waited for it is resolved', async () => {
    const app = await createCrashApplication(server, 'ledger')
    const folder = await mkdtemp(join(tmpdir(), 'fairlead-cli-'))
    try {
      const mapping = join(folder, 'mapping.txt')
      const properties = join(folder, 'ids.properties')
      await writeFile(mapping, 'org.tarn.ledger.Wallet -> a.c:\n    1:1:void debit():42:42 -> a\n')
      const { stdout, stderr } = await run(
        process.execPath,
        [
          join(require.resolve('@sentry/cli/package.json'), '../bin/sentry-cli'),
          '--url',
          server.url,
          '--auth-token',
          server.token,
          'upload-proguard',
          '--org=any',
          '--project=ledger',
          `--write-properties=${properties}`,
          mapping,
        ],
        { env: { ...process.env, SENTRY_LOAD_DOTENV: '0' }, timeout: 60_000 },
      )
      const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(await readFile(properties, 'utf8'))?.[0]
      assert.ok(uuid, stdout + stderr)
      const event = {
        platform: 'java',
        level: 'fatal',
        debug_meta: { images: [{ type: 'proguard', uuid }] },
        exception: {
          values: [
            {
              type: 'Error',
              stacktrace: { frames: [{ module: 'a.c', function: 'a', lineno: 1, filename: 'SourceFile' }] },
            },
          ],
        },
      }
      await deliver(server, app, 'sentry-store', JSON.stringify(event))
      await waitUntilRead(server, app.id)
      const [crash] = await listAllCrashes(server, app.id)
      assert.equal(crash.frames[0].function, 'org.tarn.ledger.Wallet.debit')
      assert.equal(crash.frames[0].line, 42)
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  /** The DSN names the configured address; the test server listens on loopback. */
  function toReachable(dsn: string): string {
    const url = new URL(dsn)
    url.hostname = '127.0.0.1'
    return url.href
  }
})

/** Serves a page that loads the SDK's modules as they are published and then throws. */
async function servePage(dsn: string): Promise<{ url: string; close(): void }> {
  const root = join(require.resolve('@sentry/browser/package.json'), '../../..')
  const sentry = ['browser', 'core', 'browser-utils', 'feedback', 'replay', 'replay-canvas', 'conventions']
  const names = [...sentry.map((name) => `@sentry/${name}`), 'web-vitals']
  const imports: Record<string, string> = {}
  for (const name of names) {
    const { exports } = JSON.parse(await readFile(join(root, name, 'package.json'), 'utf8'))
    for (const [entry, conditions] of Object.entries<Record<string, unknown>>(exports)) {
      const target = findImport(conditions)
      if (target !== undefined) imports[join(name, entry)] = join('/modules', name, target)
    }
  }
  const html = `<!doctype html><script type="importmap">${JSON.stringify({ imports })}</script>
    <script type="module">
      import * as Sentry from '@sentry/browser'
      Sentry.init({ dsn: ${JSON.stringify(dsn)}, release: 'web@3.0' })
      setTimeout(() => { throw new RangeError('the page broke') })
    </script>`
  const listener = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://page').pathname)
    if (!path.startsWith('/modules/')) {
      response.setHeader('content-type', 'text/html').end(html)
      return
    }
    response.setHeader('content-type', 'text/javascript')
    readFile(join(root, path.slice('/modules/'.length))).then(
      (bytes) => response.end(bytes),
      () => response.writeHead(404).end(),
    )
  })
  listener.listen(0, '127.0.0.1')
  await new Promise((resolve) => listener.once('listening', resolve))
  const { port } = requireAddress(listener)
  return { url: `http://127.0.0.1:${port}/`, close: () => listener.close() }
}

function findImport(conditions: unknown): string | undefined {
  if (typeof conditions === 'string') return conditions.endsWith('js') ? conditions : undefined
  if (typeof conditions !== 'object' || conditions === null) return undefined
  if ('import' in conditions) return findImport(conditions.import)
  return 'default' in conditions ? findImport(conditions.default) : undefined
}
