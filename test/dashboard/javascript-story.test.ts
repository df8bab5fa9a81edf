/**
 * A page is bundled by Rolldown, its debug ids are written and its map is uploaded by sentry-cli, and it throws in
 * Chromium with the real SDK in it. The dashboard shows the line of the source.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { Crash } from '@fairlead/contract'
import { build } from 'rolldown'
import { readAnswer } from '../../scripts/read-json.ts'
import { skip } from './chromium.ts'
import { type OpenedDashboard, openDashboard } from './opened-dashboard.ts'

/** The SDK and sentry-cli are those that the server is tested with. */
const findInServer = createRequire(join(import.meta.dirname, '../../apps/server/package.json')).resolve
const run = promisify(execFile)

const cart = `export interface Item {
  price?: { cents: number }
}

export function sumPrices(items: readonly Item[]): number {
  let total = 0
  for (const item of items) total += (item.price as { cents: number }).cents
  return total
}
`

describe('a crash of a page', { skip, timeout: 900_000 }, () => {
  let dashboard: OpenedDashboard
  let folder: string
  let applicationId: number
  const release = 'org.tarn.shop@2.4.0'

  before(async () => {
    dashboard = await openDashboard()
    folder = await mkdtemp(join(tmpdir(), 'fairlead-story-'))
  })
  after(async () => {
    await dashboard?.[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  })

  const call = async <Answer>(path: string, body?: object): Promise<Answer> => {
    const json = { 'Content-Type': 'application/json' }
    const init = body && { method: 'POST', headers: json, body: JSON.stringify(body) }
    const answer = await dashboard.callApi(path, init)
    assert.ok(answer.ok, `${path}: ${answer.status}`)
    return await readAnswer<Answer>(answer)
  }

  const sentryCli = async (...words: string[]) => {
    const script = join(findInServer('@sentry/cli/package.json'), '../bin/sentry-cli')
    const account = ['--url', dashboard.fresh.baseUrl, '--auth-token', dashboard.workspace.apiToken]
    const options = { env: { ...process.env, SENTRY_LOAD_DOTENV: '0' }, timeout: 60_000 }
    await run(process.execPath, [script, ...account, ...words], options)
  }

  it('is shown with the line of its source', async () => {
    ;({ id: applicationId } = await call<{ id: number }>('/v1/applications', {
      name: 'Shop',
      alias: 'web-shop',
      platform: 'android',
    }))
    const { sentryDsn } = await call<{ sentryDsn: string }>(`/v1/applications/${applicationId}/crashKeys`, {
      name: 'Page',
    })
    await bundle(sentryDsn)
    await sentryCli('sourcemaps', 'inject', join(folder, 'dist'))
    const project = ['--org=any', '--project=web-shop', `--release=${release}`]
    await sentryCli('sourcemaps', 'upload', ...project, join(folder, 'dist'))
    const crash = await throwInPage()
    const [innermost] = crash.frames
    assert.deepEqual([innermost?.function, innermost?.line, innermost?.isApp], ['sumPrices', 7, true])
    assert.notEqual(innermost?.reported?.function, 'sumPrices', 'the bundle is minified')
    assert.match(innermost?.file ?? '', /src\/cart\.ts$/)
    assert.equal(innermost?.reported?.module, 'app.js')
    assert.deepEqual(crash.missingSymbols, [])
    assert.equal(innermost?.sourceLines?.firstLine, 3)
    assert.deepEqual(innermost.sourceLines.lines, cart.split('\n').slice(2))
    const page = await dashboard.openPage()
    await page.goto(`/applications/${applicationId}/crash-reports/${crash.id}`)
    await page
      .getByText(/src\/cart\.ts:7/)
      .first()
      .waitFor()
    const marked = page.locator('li[aria-current=location]').first()
    assert.equal(await marked.textContent(), cart.split('\n')[6])
  })

  async function bundle(dsn: string): Promise<void> {
    await mkdir(join(folder, 'src'))
    await writeFile(join(folder, 'src/cart.ts'), cart)
    await writeFile(
      join(folder, 'src/index.ts'),
      `import { init } from '@sentry/browser'
import { sumPrices } from './cart.ts'
init({ dsn: ${JSON.stringify(dsn)}, release: ${JSON.stringify(release)} })
setTimeout(() => console.log(sumPrices([{ price: { cents: 5 } }, {}])))
`,
    )
    await build({
      input: join(folder, 'src/index.ts'),
      resolve: { alias: { '@sentry/browser': findInServer('@sentry/browser') } },
      output: { file: join(folder, 'dist/app.js'), format: 'iife', sourcemap: true, minify: true },
      logLevel: 'silent',
    })
  }

  async function throwInPage(): Promise<Crash> {
    const script = await readFile(join(folder, 'dist/app.js'))
    const server = createServer((request, response) => {
      const isScript = request.url === '/static/app.js'
      response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html')
      response.end(isScript ? script : '<!doctype html><script src="/static/app.js"></script>')
    })
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    try {
      const address = server.address()
      assert.ok(address !== null && typeof address === 'object')
      const page = await dashboard.chromium.openPage()
      const sent = page.waitForResponse(
        (response) =>
          response.url().includes('/envelope/') && response.request().postData()?.includes('"type":"event"') === true,
      )
      await page.goto(`http://127.0.0.1:${address.port}/`)
      assert.equal((await sent).status(), 200)
      await page.context().close()
    } finally {
      server.close()
    }
    const path = `/v1/applications/${applicationId}`
    for (let attempt = 0; attempt < 100; attempt++) {
      const [group] = await call<{ id: number }[]>(`${path}/crashGroups`)
      const { pendingCount } = await call<{ pendingCount: number }>(`${path}/crashIntake`)
      if (group && pendingCount === 0) {
        const [crash] = await call<{ id: number }[]>(`/v1/crashGroups/${group.id}/crashes`)
        return Crash.parse(await call(`/v1/crashes/${crash?.id}`))
      }
      await new Promise((resolve) => void setTimeout(resolve, 200))
    }
    throw new Error('The crash was never read.')
  }
})
