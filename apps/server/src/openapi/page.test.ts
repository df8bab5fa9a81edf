import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, describe, it } from 'node:test'
import axe from 'axe-core'
import { chromium } from 'playwright-core'
import { startServer } from '../testing/start-server.ts'

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'
/** A folder for screenshots of the page, for inspection. */
const pictures = process.env.FAIRLEAD_TEST_PICTURES

interface Results {
  violations: { id: string; nodes: { html: string }[] }[]
}

describe('the page at /docs', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())

  it('loads nothing from other hosts and runs no scripts but its own', async () => {
    const page = await server.call('GET', '/docs', { token: null })
    assert.equal(page.status, 200)
    const policy = page.headers.get('content-security-policy') ?? ''
    assert.match(policy, /^default-src 'none'/)
    assert.doesNotMatch(policy, /https?:|unsafe/)
    const links = [...page.text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, link]) => link ?? '')
    assert.ok(links.length > 0)
    for (const link of links) assert.doesNotMatch(link, /^(https?:)?\/\//)
  })

  it('is compressed to less than 75 kB', async () => {
    for (const encoding of ['gzip', 'br']) {
      const { headers } = await fetch(`${server.url}/docs`, { method: 'GET', headers: { 'Accept-Encoding': encoding } })
      assert.equal(headers.get('content-encoding'), encoding)
      assert.ok(Number(headers.get('content-length')) < 75_000, `${encoding}: ${headers.get('content-length')} bytes`)
    }
  })

  it('shows every operation with a command line and its answers', async () => {
    const { text } = await server.call('GET', '/docs', { token: null })
    const { json } = await server.call('GET', '/openapi.json', { token: null })
    const methods = Object.values<Record<string, { operationId: string }>>(json.paths)
    for (const { operationId } of methods.flatMap((operations) => Object.values(operations))) {
      assert.ok(text.includes(`id="${operationId}"`), operationId)
    }
    const [, upload = ''] = text.split('id="uploadBuild"')
    const [shown = ''] = upload.split('</details>')
    assert.match(shown, /curl -X POST/)
    assert.match(shown, /X-Service-Application-Alias/)
    assert.match(shown, /--data-binary @FILE/)
    assert.match(shown, /&quot;installUrl&quot;: &quot;https:\/\/fairlead\.example\.com/)
  })

  const skip = existsSync(executablePath) ? false : 'no Chromium'

  it('is accessible, fits a phone, and finds operations', { skip }, async () => {
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
    after(() => browser.close())
    const { json } = await server.call('GET', '/openapi.json', { token: null })
    for (const [colorScheme, width] of [
      ['light', 390],
      ['dark', 1440],
    ] as const) {
      const page = await browser.newPage({ colorScheme, viewport: { width, height: 900 } })
      const failures: string[] = []
      page.on('console', (message) => failures.push(message.text()))
      page.on('pageerror', (error) => failures.push(error.message))
      await page.goto(`${server.url}/docs#uploadBuild`)
      await page.locator('#uploadBuild[open]').waitFor()
      if (pictures !== undefined) await page.screenshot({ path: `${pictures}/docs-${colorScheme}-${width}.png` })
      await page.locator('#schema-Build > summary').click()
      const wide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
      assert.ok(wide <= 0, `${wide} px too wide at ${width}`)
      await page.evaluate(axe.source)
      const { violations } = await page.evaluate<Results>('axe.run()')
      assert.deepEqual(
        violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`),
        [],
      )
      await page.getByRole('searchbox', { name: 'Search' }).fill('post symbolicate')
      assert.deepEqual(await page.locator('details:visible').evaluateAll((all) => all.map(({ id }) => id)), [
        'symbolicate',
      ])
      await page.getByRole('searchbox').fill('')
      assert.ok((await page.locator('details:visible').count()) > Object.keys(json.paths).length)
      assert.deepEqual(failures, [])
      await page.close()
    }
  })
})
