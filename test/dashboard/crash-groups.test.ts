import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { findBarriers, measureOverflow } from './accessibility.ts'
import { type Chromium, skip, startChromium } from './chromium.ts'
import { type FilledWorkspace, fillWorkspace, openPage } from './filled-workspace.ts'
import { type FreshServer, startFreshServer } from './first-start.ts'

const hostile = '<img src=x onerror=alert(1)>'

/** A crash as a Sentry SDK sends it, with a message that would be markup where it was not escaped. */
const event = {
  event_id: '0123456789abcdef0123456789abcdef',
  timestamp: new Date().toISOString(),
  platform: 'java',
  level: 'fatal',
  release: 'com.example.pilot@1.2+12',
  user: { id: 'seven', email: 'ada@example.com' },
  contexts: { os: { name: 'Android', version: '14' }, device: { model: 'Pixel 8' } },
  breadcrumbs: [{ category: 'ui', message: `tapped ${hostile} as ada@example.com` }],
  exception: {
    values: [
      {
        type: 'IllegalStateException',
        module: 'java.lang',
        value: `no chart ${hostile}`,
        mechanism: { type: 'UncaughtExceptionHandler', handled: false },
        stacktrace: {
          frames: [
            { module: 'com.example.pilot.MainActivity', function: 'onCreate', lineno: 20, filename: 'MainActivity.kt' },
            { module: 'com.example.pilot.Chart', function: 'render', lineno: 91, filename: 'Chart.kt' },
          ],
        },
      },
    ],
  },
}

describe('the pages of crashes', { skip, timeout: 120_000 }, () => {
  let fresh: FreshServer
  let chromium: Chromium
  let workspace: FilledWorkspace

  before(async () => {
    fresh = await startFreshServer()
    workspace = await fillWorkspace(fresh)
    chromium = await startChromium()
  })

  after(async () => {
    await chromium?.[Symbol.asyncDispose]()
    await fresh?.[Symbol.asyncDispose]()
  })

  it('lead from a new crash key to a crash, its source line and its resolution', async () => {
    const page = await chromium.openPage({ baseURL: fresh.baseUrl, viewport: { width: 400, height: 800 } })
    await page.context().addCookies([workspace.cookie])
    const root = `/applications/${workspace.applicationId}`
    const check = async () => {
      assert.deepEqual(await findBarriers(page), [])
      assert.ok((await measureOverflow(page)) <= 0)
    }

    await openPage(page, `${root}/crashes`)
    await page.getByText('No crashes').first().waitFor()
    await check()
    await page.getByRole('link', { name: 'Set the app up' }).click()
    await page.getByRole('button', { name: 'New crash key' }).click()
    const dsn = await page.getByRole('textbox', { name: 'Sentry: the DSN' }).inputValue()
    await check()

    const { username: key } = new URL(dsn)
    const url = `${fresh.baseUrl}/api/${workspace.applicationId}/store/?sentry_key=${key}`
    const sent = await fetch(url, { method: 'POST', body: JSON.stringify(event) })
    assert.equal(sent.status, 200)
    // A crash is read by a job soon after it is acknowledged.
    const group = page.getByRole('link', { name: 'java.lang.IllegalStateException' })
    for (let tries = 0; tries < 50 && !(await group.isVisible()); tries++) {
      await openPage(page, `${root}/crashes`)
    }
    await check()
    await group.click()
    await page.getByText('com.example.pilot.Chart.render').first().waitFor()
    await page.getByText('Chart.kt:91').waitFor()
    await page.getByText(`no chart ${hostile}`).waitFor()
    await page.getByRole('heading', { name: 'Why these crashes are one group' }).waitFor()
    await check()

    await page.getByRole('link', { name: '1.2 (12)' }).click()
    await page.getByText(`ui: tapped ${hostile} as <email>`).waitFor()
    await check()
    await page.goBack()
    await page.getByRole('button', { name: 'Resolve' }).click()
    await page.getByText('The group is resolved').waitFor()
    await openPage(page, `${root}/crashes?status=resolved`)
    await group.waitFor()

    await openPage(page, `${root}/stability`)
    await page.getByText('No sessions').waitFor()
    await check()
    chromium.checkComplaints()
    await page.context().close()
  })
})
