import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import type { Build, BuildTester, Tester } from '@fairlead/contract'
import axe from 'axe-core'
import { type Browser, type BrowserContextOptions, chromium } from 'playwright-core'
import { type MailServer, startMailServer } from '../testing/mail-server.ts'
import { startServer, type TestServer } from '../testing/start-server.ts'
import { createApplication, uploadApk, uploadIpa } from '../testing/upload.ts'
import { userAgents } from '../testing/user-agents.ts'

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'
/** A folder for screenshots of the pages, for inspection. */
const pictures = process.env.FAIRLEAD_TEST_PICTURES
const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, userAgent: userAgents.androidReduced }

describe('a tester with a phone', { skip: existsSync(executablePath) ? false : 'no Chromium' }, () => {
  let server: TestServer
  let mailServer: MailServer
  let browser: Browser
  let build: Build
  let tester: Tester

  before(async () => {
    mailServer = await startMailServer()
    server = await startServer({ FAIRLEAD_SMTP_URL: mailServer.url })
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
    if (pictures !== undefined) await mkdir(pictures, { recursive: true })
    await createApplication(server, 'shop')
    await createApplication(server, 'wallet', 'ios')
    const { json: group } = await server.call('POST', '/v1/distributionGroups', { json: { name: 'Beta' } })
    const json = { emails: ['ada@example.com'] }
    ;[tester] = (await server.call('POST', `/v1/distributionGroups/${group.id}/testers`, { json })).json
    const older = await uploadApk(server, { alias: 'shop', apk: { label: 'W'.repeat(90), icon: null } })
    const wallet = await uploadIpa(server, { alias: 'wallet', ipa: { name: 'متجر التجربة' } })
    build = await uploadApk(server, { alias: 'shop', apk: { versionCode: 2 } })
    for (const one of [older, wallet, build]) {
      const notifyTesters = one === build
      const given = { distributionGroupNames: ['Beta'], notifyTesters }
      const answer = await server.call('POST', `/v1/builds/${one.id}/distribute`, { json: given })
      assert.equal(answer.status, 201, answer.text)
    }
  })
  after(async () => {
    await browser?.close()
    await server[Symbol.asyncDispose]()
    await mailServer[Symbol.asyncDispose]()
  })

  const readStatus = async (): Promise<BuildTester> =>
    (await server.call('GET', `/v1/builds/${build.id}/testers`)).json[0]
  const isUnsubscribed = async (): Promise<boolean> => (await server.call('GET', '/v1/testers')).json[0].isUnsubscribed

  it('gets from the mail to the page, installs, and turns the mails off and on, without scripts', async () => {
    const { decoded } = await mailServer.waitForMail('ada@example.com')
    assert.equal((await readStatus()).state, 'told')
    const pageUrl = /http\S+\/testers\/[\w.-]+/.exec(decoded)?.[0] ?? ''
    const unsubscribeUrl = /^List-Unsubscribe: <(\S+)>/m.exec(decoded)?.[1] ?? ''
    const context = await browser.newContext({ ...phone, locale: 'en-GB', javaScriptEnabled: false })
    const page = await context.newPage()
    const foreign: string[] = []
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== new URL(pageUrl).origin) foreign.push(request.url())
    })
    await page.goto(pageUrl)
    assert.equal((await readStatus()).state, 'opened')
    const shown = await page
      .locator('article')
      .evaluateAll((all) => all.map((one) => one.getAttribute('data-build-id')))
    assert.deepEqual([shown[0], shown.length], [String(build.id), 3])
    await page.locator(`article[data-build-id="${build.id}"]`).getByRole('link', { name: /^Open/ }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Install', exact: true }).click()
    assert.match((await download).suggestedFilename(), /\.apk$/)
    assert.equal(await (await download).failure(), null)
    for (let waited = 0; waited < 400 && (await readStatus()).state !== 'installed'; waited++) {
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
    await page.getByRole('link', { name: 'All your builds' }).click()
    const installed = page.locator(`article[data-build-id="${build.id}"]`)
    assert.equal(await installed.getByText('✓ Installed').count(), 1)
    assert.equal(await page.getByText('✓ Installed').count(), 1)

    await page.getByRole('button', { name: 'Stop these mails' }).click()
    await page.getByText('sends no mails about builds to ada@example.com').waitFor()
    assert.equal(await isUnsubscribed(), true)
    await page.goto(unsubscribeUrl)
    assert.equal(await isUnsubscribed(), true, 'opening the link changes nothing')
    await page.getByRole('button', { name: 'Send these mails again' }).click()
    await page.getByRole('button', { name: 'Stop these mails' }).waitFor()
    assert.equal(await isUnsubscribed(), false)
    await page.getByRole('button', { name: 'Stop these mails' }).click()
    await page.getByText('sends no mails about builds to ada@example.com').waitFor()
    assert.equal(await isUnsubscribed(), true)
    assert.deepEqual(foreign, [], 'nothing is fetched from elsewhere')
    await context.close()
  })

  it('sees pages that fit the screen, also at 200 %, in both colour schemes, and that axe passes', async () => {
    const path = new URL(tester.pageUrl ?? '').pathname
    const narrow = { width: 195, height: 422 }
    const views: [name: string, path: string, options: BrowserContextOptions][] = [
      ['page', path, { locale: 'en-GB' }],
      ['page-dark', path, { locale: 'ja', colorScheme: 'dark' }],
      ['page-200', path, { locale: 'de', viewport: narrow }],
      ['page-desktop', path, { locale: 'zh-CN', viewport: { width: 1440, height: 900 } }],
      ['missing', `${path}x`, { locale: 'fr' }],
    ]
    for (const [name, address, options] of views) {
      const context = await browser.newContext({ ...phone, ...options })
      const page = await context.newPage()
      await page.goto(server.url + address)
      const excess = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
      if (pictures !== undefined) await page.screenshot({ path: `${pictures}/tester-${name}.png`, fullPage: true })
      assert.equal(excess, 0, name)
      // Code that the test evaluates is not subject to the page's Content Security Policy.
      await page.evaluate(axe.source)
      const { violations } = await page.evaluate<{ violations: { id: string; help: string }[] }>('axe.run()')
      assert.deepEqual(
        violations.map(({ id, help }) => `${id}: ${help}`),
        [],
        name,
      )
      await context.close()
    }
  })
})
