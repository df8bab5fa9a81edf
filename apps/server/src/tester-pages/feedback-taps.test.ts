import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import type { Build, Feedback } from '@fairlead/contract'
import { type Browser, chromium, type Locator, type Page } from 'playwright-core'
import { type MailServer, startMailServer } from '../testing/mail-server.ts'
import { startServer, type TestServer } from '../testing/start-server.ts'
import { createApplication, uploadApk } from '../testing/upload.ts'
import { userAgents } from '../testing/user-agents.ts'

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'

describe('a new tester', { skip: existsSync(executablePath) ? false : 'no Chromium' }, () => {
  const opened = new AsyncDisposableStack()
  let server: TestServer
  let mailServer: MailServer
  let browser: Browser
  let build: Build

  before(async () => {
    mailServer = opened.use(await startMailServer())
    server = opened.use(await startServer({ FAIRLEAD_SMTP_URL: mailServer.url }))
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
    opened.defer(() => browser.close())
    await createApplication(server, 'shop')
    const { json: group } = await server.call('POST', '/v1/distributionGroups', { json: { name: 'Beta' } })
    const json = { emails: ['ada@example.com', 'bob@example.com'] }
    await server.call('POST', `/v1/distributionGroups/${group.id}/testers`, { json })
    build = await uploadApk(server, { alias: 'shop' })
    const given = { distributionGroupIds: [group.id], notifyTesters: true }
    assert.equal((await server.call('POST', `/v1/builds/${build.id}/distribute`, { json: given })).status, 201)
  })
  after(() => opened.disposeAsync())

  /** Shows the mail as a mail program does, on a phone without scripts, and counts taps on what is visible. */
  async function openMail(
    recipient: string,
  ): Promise<{ page: Page; tap: (target: Locator) => Promise<void>; taps: () => number }> {
    const { decoded } = await mailServer.waitForMail(recipient)
    const html = decoded.slice(decoded.indexOf('<!doctype html>'), decoded.lastIndexOf('</html>') + 7)
    const context = await browser.newContext({
      viewport: { width: 390, height: 844 },
      userAgent: userAgents.androidReduced,
      locale: 'en-GB',
      hasTouch: true,
      isMobile: true,
      javaScriptEnabled: false,
    })
    const page = await context.newPage()
    await page.setContent(html)
    let count = 0
    const tap = async (target: Locator) => {
      count++
      await target.tap()
    }
    return { page, tap, taps: () => count }
  }

  const readFeedback = async (): Promise<Feedback[]> =>
    (await server.call('GET', `/v1/builds/${build.id}/feedback`)).json

  it('gets from the mail to feedback in four taps, without an account: by the install page', async () => {
    const { page, tap, taps } = await openMail('ada@example.com')
    await tap(page.locator('a[href*="/install/"]').first())
    await tap(page.getByText('Send feedback'))
    await tap(page.getByLabel('What did you notice?'))
    await page.keyboard.type('The chart is empty')
    await tap(page.getByRole('button', { name: 'Send', exact: true }))
    await page.getByText('Your feedback has reached the team.').waitFor()
    assert.ok(taps() <= 4, `${taps()} taps`)
    const [feedback] = await readFeedback()
    assert.deepEqual([feedback?.text, feedback?.tester?.email], ['The chart is empty', 'ada@example.com'])
    assert.deepEqual(await page.context().cookies(), [], 'nobody is signed in')
    await page.context().close()
  })

  it('gets there in four taps by the own page of all builds as well', async () => {
    const { page, tap, taps } = await openMail('bob@example.com')
    await tap(page.locator('a[href*="/testers/"]').first())
    await tap(page.locator(`article[data-build-id="${build.id}"]`).getByRole('link', { name: /^Send feedback/ }))
    await tap(page.getByLabel('What did you notice?'))
    await page.keyboard.type('It is fast')
    await tap(page.getByRole('button', { name: 'Send', exact: true }))
    await page.getByText('Your feedback has reached the team.').waitFor()
    assert.ok(taps() <= 4, `${taps()} taps`)
    assert.equal((await readFeedback())[0]?.tester?.email, 'bob@example.com')
    await page.context().close()
  })
})
