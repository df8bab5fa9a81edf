import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import axe from 'axe-core'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { createSigner, type ProfileOptions } from '@fairlead/binary/fixture'
import { startServer } from '../testing/start-server.ts'
import { createApplication, uploadApk, uploadIpa } from '../testing/upload.ts'
import { type UserAgent, userAgents } from '../testing/user-agents.ts'

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'
/** A folder for screenshots of the pages, for inspection. */
const pictures = process.env.FAIRLEAD_TEST_PICTURES

const releaseNotes = `# Checkout

Pay with **one tap**; see https://example.com/${'very-long-address-'.repeat(8)}

- Faster start
- \`NullPointerException\` in the cart

\`\`\`
val line = "of code that is far longer than any phone is wide, and has to scroll by itself"
\`\`\`

| Device | Seen |
|---|---|
| Pixel 9 | ${'yes '.repeat(30)} |

| ${'wide | '.repeat(30)}
|${'---|'.repeat(30)}
| ${'wide | '.repeat(30)}
`

interface View {
  name: string
  path: string
  agent: UserAgent
  options: BrowserContextOptions
}

describe('the install page in Chromium', { skip: existsSync(executablePath) ? false : 'no Chromium' }, async () => {
  const server = await startServer({ FAIRLEAD_BASE_URL: 'https://builds.example.com' })
  after(() => server[Symbol.asyncDispose]())
  let browser: Browser
  const paths = { plain: '', troubled: '', ios: '', missing: '/install/AAAAAAAAAAAAAAAAAAAAAA' }

  before(async () => {
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
    if (pictures !== undefined) await mkdir(pictures, { recursive: true })
    await createApplication(server, 'android')
    await createApplication(server, 'ios', 'ios')
    const signer = createSigner({ commonName: 'Acme' })
    const plain = await uploadApk(server, { alias: 'android', apk: { versionCode: 20, signers: [signer], minSdk: 26 } })
    const troubled = await uploadApk(server, {
      alias: 'android',
      apk: { versionCode: 3, label: 'W'.repeat(90), icon: null, minSdk: 34, schemes: [] },
    })
    const profile: ProfileOptions = {
      type: 'ad-hoc',
      devices: ['0'.repeat(40)],
      expirationDate: new Date('2024-01-01'),
    }
    const ios = await uploadIpa(server, { alias: 'ios', ipa: { name: 'متجر التجربة', profile } })
    for (const build of [plain, ios]) {
      await server.call('PATCH', `/v2/builds/${build.id}`, { json: { releaseNotes } })
    }
    paths.plain = new URL(plain.installUrl).pathname
    paths.troubled = new URL(troubled.installUrl).pathname
    paths.ios = new URL(ios.installUrl).pathname
  })
  after(() => browser?.close())

  const views = (): View[] => {
    const phone = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2 }
    const desktop = { viewport: { width: 1440, height: 900 } }
    const { plain, troubled, ios, missing } = paths
    return [
      { name: 'plain-phone', path: plain, agent: 'android', options: { ...phone, locale: 'en-GB' } },
      {
        name: 'plain-phone-dark',
        path: plain,
        agent: 'android',
        options: { ...phone, locale: 'fr', colorScheme: 'dark' },
      },
      { name: 'plain-desktop', path: plain, agent: 'windows', options: { ...desktop, locale: 'es' } },
      { name: 'troubled-phone', path: troubled, agent: 'android', options: { ...phone, locale: 'de' } },
      {
        name: 'troubled-phone-dark',
        path: troubled,
        agent: 'android',
        options: { ...phone, locale: 'de', colorScheme: 'dark' },
      },
      { name: 'ios-phone', path: ios, agent: 'iphone', options: { ...phone, locale: 'ja' } },
      {
        name: 'ios-desktop-dark',
        path: ios,
        agent: 'mac',
        options: { ...desktop, locale: 'zh-CN', colorScheme: 'dark' },
      },
      { name: 'wrong-phone', path: ios, agent: 'android', options: { ...phone, locale: 'en' } },
      { name: 'missing', path: missing, agent: 'iphone', options: { ...phone, locale: 'de' } },
    ]
  }

  const visit = async ({ path, agent, options }: View, use: (page: Page, complaints: string[]) => Promise<void>) => {
    const context = await browser.newContext({ ...options, userAgent: userAgents[agent], bypassCSP: false })
    const page = await context.newPage()
    const complaints: string[] = []
    const foreign: string[] = []
    page.on('console', (message) => {
      // Browsers request /favicon.ico by themselves when a page names no icon.
      if (!message.location().url.endsWith('/favicon.ico')) complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('request', (request) => {
      if (!request.url().startsWith(server.url)) foreign.push(request.url())
    })
    await page.goto(server.url + path)
    await use(page, complaints)
    assert.deepEqual(foreign, [], 'nothing is fetched from elsewhere')
    await context.close()
  }

  it('fits the screen, obeys its Content Security Policy, loads nothing external and passes axe', async () => {
    for (const view of views()) {
      await visit(view, async (page, complaints) => {
        // The list of help and the form of feedback.
        for (const summary of await page.locator('summary').all()) await summary.click()
        const excess = await page.evaluate(
          'document.documentElement.scrollWidth - document.documentElement.clientWidth',
        )
        assert.equal(excess, 0, view.name)
        if (view.name !== 'missing') assert.deepEqual(complaints, [], view.name)
        if (pictures !== undefined) await page.screenshot({ path: `${pictures}/${view.name}.png`, fullPage: true })
        // Code that the test evaluates is not subject to the page's Content Security Policy.
        await page.evaluate(axe.source)
        const { violations } = await page.evaluate<{ violations: { id: string; help: string }[] }>('axe.run()')
        assert.deepEqual(
          violations.map(({ id, help }) => `${id}: ${help}`),
          [],
          view.name,
        )
      })
    }
  })

  it('works with the keyboard and without JavaScript', async () => {
    const [view] = views()
    assert.ok(view)
    await visit({ ...view, options: { ...view.options, javaScriptEnabled: false } }, async (page) => {
      const download = page.waitForEvent('download')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      assert.match((await download).suggestedFilename(), /\.apk$/)
      assert.equal(await page.locator('details li').first().isVisible(), false)
      await page.locator('details:has(li) > summary').focus()
      await page.keyboard.press('Enter')
      assert.equal(await page.locator('details li').first().isVisible(), true)
    })
  })
})
