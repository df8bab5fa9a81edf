import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { findBarriers, measureOverflow } from './accessibility.ts'
import { skip } from './chromium.ts'
import { openPage } from './filled-workspace.ts'
import { openDashboardOnEngine } from './on-engine.ts'
import type { OpenedDashboard } from './opened-dashboard.ts'
import { readAnswer } from '../../scripts/read-json.ts'

const dayMs = 86_400_000

describe('the overview, the list of crashes and the charts', { skip, timeout: 900_000 }, () => {
  let dashboard: OpenedDashboard
  let root: string
  let id: number

  before(async () => {
    dashboard = await openDashboardOnEngine()
    id = dashboard.workspace.applicationId
    root = `/applications/${id}`
    await fill()
  })
  after(() => dashboard?.[Symbol.asyncDispose]())

  const post = async <Answer>(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> => {
    const isText = typeof body === 'string'
    const answer = await dashboard.callApi(path, {
      method: 'POST',
      headers: { ...(!isText && { 'Content-Type': 'application/json' }), ...headers },
      body: isText ? body : JSON.stringify(body),
    })
    return readAnswer<Answer>(answer)
  }

  async function fill(): Promise<void> {
    const { key } = await post<{ key: string }>(`/v1/applications/${id}/crashKeys`, { name: 'Release' })
    const send = (path: string, body: string) =>
      fetch(`${dashboard.fresh.baseUrl}/api/${id}/${path}/?sentry_key=${key}`, { method: 'POST', body })
    for (let session = 0; session < 8; session++) {
      const started = new Date(Date.now() - (session % 4) * dayMs).toISOString()
      const attrs = { release: `dev.fairlead.sample@1.0+${session % 4 > 1 ? 1 : 2}`, environment: 'production' }
      const status = session === 0 ? 'crashed' : 'ok'
      const item = { sid: `s${session}`, did: `u${session}`, init: true, status, started, timestamp: started, attrs }
      await send('envelope', [{}, { type: 'session' }, item].map((line) => JSON.stringify(line)).join('\n'))
    }
    for (const [place, type] of ['Gone', 'Late', 'Full', 'Torn'].entries()) {
      for (let time = 0; time <= place; time++) {
        const frames = [{ module: 'com.example.pilot.Cart', function: `step${place}`, lineno: 7, in_app: true }]
        const event = {
          event_id: `${place}${time}`.padStart(32, '0'),
          platform: 'java',
          level: 'fatal',
          timestamp: new Date(Date.now() - time * dayMs).toISOString(),
          release: 'dev.fairlead.sample@1.0+2',
          environment: place === 3 ? 'staging' : 'production',
          user: { id: `user ${time}` },
          tags: { tenant: place === 0 ? 'acme' : 'globex' },
          exception: { values: [{ type, value: `order ${place} fails`, stacktrace: { frames } }] },
        }
        assert.equal((await send('store', JSON.stringify(event))).status, 200)
      }
    }
    for (let run = 0; run < 3; run++) {
      const failure = run === 2 ? '<failure message="lost" type="E"/>' : ''
      const report = `<testsuite name="ui"><testcase name="pays" classname="CartTest" time="1.5">${failure}</testcase>
        <testcase name="ships" classname="CartTest" time="2"/></testsuite>`
      const headers = {
        'X-Service-Application-Alias': 'pilot',
        'X-Service-Branch': 'main',
        'X-Service-Run-Key': `job ${run}`,
        ...(run === 2 && { 'X-Service-Build-Id': String(dashboard.workspace.buildId) }),
      }
      const { run: sent } = await post<{ run: { id: number } }>('/v1/testReports', report, headers)
      await post(`/v1/testRuns/${sent.id}/complete`, {})
    }
    for (;;) {
      const answer = await dashboard.callApi(`/v1/applications/${id}/crashIntake`)
      if ((await readAnswer<{ pendingCount: number }>(answer)).pendingCount === 0) return
    }
  }

  async function check(page: Page): Promise<void> {
    assert.deepEqual(await findBarriers(page), [])
    assert.ok((await measureOverflow(page)) <= 0)
  }

  it('sum an application up in a line of the list, and on its first page', async () => {
    const page = await dashboard.openPage()
    await openPage(page, '/applications')
    const row = page.getByRole('listitem').filter({ hasText: 'pilot ·' })
    await row.getByText('4 new crash groups').waitFor()
    await row.getByText('Tests failed').waitFor()
    await row.getByText('87.5% crash-free').waitFor()
    await row.getByRole('link').click()
    const build = page.getByRole('region', { name: 'Newest build' })
    await build.getByRole('link', { name: '1.0 (2)' }).waitFor()
    await build.getByText('Failed', { exact: true }).waitFor()
    await build.getByText(/^1 test fails that did not fail at the base\. Run \d+ failed$/).waitFor()
    await build.getByRole('img', { name: 'QR code of the install link' }).waitFor()
    await build.getByRole('button', { name: 'Copy install link' }).waitFor()
    const crashes = page.getByRole('list', { name: 'Worst new crashes' })
    assert.equal(await crashes.getByRole('listitem').count(), 3)
    await crashes.getByText('4 crashes').waitFor()
    await page.getByRole('region', { name: 'Tests' }).getByRole('link', { name: 'pays' }).waitFor()
    await page.getByText('87.5%', { exact: true }).waitFor()
    await check(page)
    await page.getByRole('link', { name: 'Builds', exact: true }).click()
    await page.getByRole('list', { name: 'Builds' }).waitFor()
    await page.goto(`${root}?branch=nothing`)
    await page.waitForURL(/\/builds\?branch=nothing/)
    await page.context().close()
  })

  it('can be read by keyboard, and as tables, in both schemes, on a phone', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await dashboard.openPage({ viewport: { width: 390, height: 800 }, colorScheme })
      for (const path of [root, `${root}/crashes`, `${root}/stability`, `${root}/tests`]) {
        await openPage(page, path)
        if (path !== `${root}/crashes`) await page.getByText('As a table').first().waitFor()
        await check(page)
      }
      await openPage(page, root)
      const chart = page.getByRole('group', { name: /^Crash-free sessions by day/ })
      const days = chart.getByRole('link')
      await days.nth(13).waitFor()
      assert.equal(await days.count(), 14)
      assert.equal(await chart.locator('a[tabindex="0"]').count(), 1)
      await days.last().focus()
      await page.keyboard.press('ArrowLeft')
      const yesterday = page.locator('a:focus')
      assert.match((await yesterday.getAttribute('aria-label')) ?? '', /100% crash-free, 0 of 2 sessions crashed/)
      await page.keyboard.press('Home')
      assert.match((await page.locator('a:focus').getAttribute('aria-label')) ?? '', /no sessions/)
      await page.getByText('As a table').first().click()
      await page.getByRole('columnheader', { name: 'New releases' }).waitFor()
      await check(page)
      await page.context().close()
    }
  })

  it('say how stable each release was in one line, the newest first, and every day of it on demand', async () => {
    const page = await dashboard.openPage({ viewport: { width: 390, height: 800 } })
    await openPage(page, `${root}/stability`)
    const releases = page.getByRole('table', { name: 'Crash-free sessions by release' }).locator('tbody tr')
    await releases.first().waitFor()
    assert.deepEqual(
      (await releases.allInnerTexts()).map((row) => row.trim().replaceAll(/\s+/g, ' ')),
      ['1.0 (2) 75% 1 of 4 sessions of 1.0 (2)', '1.0 (1) 100% 0 of 4 sessions of 1.0 (1)'],
    )
    await releases.first().getByRole('img', { name: '1 session crashed in 4 days' }).waitFor()
    // The row of a release and the legend of the chart have one colour.
    await page.locator('figure [data-color="1"]', { hasText: '1.0 (2)' }).waitFor()
    assert.equal(await releases.first().getAttribute('data-color'), '1')
    const days = page.getByRole('table', { name: 'Crash-free sessions by day and release' })
    assert.equal(await days.isVisible(), false)
    await page.getByText('Every day of each release').click()
    // Each release was started on two days, and the newest crashed on a third one.
    assert.equal(await days.locator('tbody tr').count(), 5)
    await check(page)
    // A phone at 200 %.
    await page.setViewportSize({ width: 195, height: 422 })
    await check(page)
    await releases.first().getByRole('link').click()
    await page.waitForURL(/\/crashes\?version=%222%22$/)
    await page.context().close()
  })

  it('are printed on white paper, with their charts and without the navigation', async () => {
    const page = await dashboard.openPage({ colorScheme: 'dark' })
    await openPage(page, root)
    const chart = page.getByRole('group', { name: /^Crash-free sessions by day/ })
    await chart.waitFor()
    const scheme = () => page.locator('html').getAttribute('data-mantine-color-scheme')
    assert.equal(await scheme(), 'dark')
    await page.emulateMedia({ media: 'print' })
    await page.locator('html[data-mantine-color-scheme="light"]').waitFor()
    assert.ok(await chart.isVisible())
    assert.equal(await page.getByRole('navigation', { name: 'Main' }).isVisible(), false)
    await check(page)
    await page.emulateMedia({ media: 'screen' })
    await page.locator('html[data-mantine-color-scheme="dark"]').waitFor()
    await page.context().close()
  })

  it('lead from a bar to the crashes of its day, and from there to the crashes themselves', async () => {
    const page = await dashboard.openPage()
    await openPage(page, root)
    await page
      .getByRole('group', { name: /^Crash-free sessions by day/ })
      .getByRole('link')
      .nth(10)
      .click()
    await page.waitForURL(/\/crashes\?date=/)
    await page.getByText('1 crash group', { exact: true }).waitFor()
    await page.getByRole('list', { name: 'Crash groups' }).getByRole('link').click()
    const chart = page.getByRole('group', { name: /^Crashes by day and version/ })
    await chart
      .getByRole('link', { name: /1 crash, 1 of 1\.0 \(2\)$/ })
      .last()
      .click()
    await page.getByRole('heading', { name: /^Crashes of / }).waitFor()
    const ofDay = page.getByRole('list', { name: 'Crashes of the day' }).getByRole('listitem')
    // The heading stands there before the crashes do.
    await ofDay.first().waitFor()
    assert.equal(await ofDay.count(), 1)
    // The crashes were sent the newest first, as phones deliver late; they are listed by when they happened.
    await openPage(page, `${root}/crashes?sort=crashes`)
    await page.getByRole('list', { name: 'Crash groups' }).getByRole('link', { name: /Torn/ }).click()
    const newest = page.getByRole('list', { name: 'Newest crashes' }).locator('time')
    await newest.nth(3).waitFor()
    const dates = await newest.evaluateAll((times) =>
      times.map((time) => Date.parse(time.getAttribute('datetime') ?? '')),
    )
    assert.deepEqual(
      dates,
      dates.toSorted((one, other) => other - one),
    )
    await openPage(page, `${root}/tests`)
    const failures = page.getByRole('group', { name: /^Failed and flaky cases per run/ })
    await failures
      .getByRole('link', { name: /^Run \d+, .*: 1 failed/ })
      .last()
      .click()
    await page.waitForURL(/\/tests\/runs\//)
    await page.getByText('job 2', { exact: true }).waitFor()
    await page.context().close()
  })

  it('sort and filter groups by the address, and change the chosen ones together', async () => {
    const page = await dashboard.openPage()
    await openPage(page, `${root}/crashes?sort=crashes`)
    const rows = page.getByRole('list', { name: 'Crash groups' }).getByRole('listitem')
    await page.getByText('4 crash groups', { exact: true }).waitFor()
    assert.match(await rows.first().innerText(), /Torn[\s\S]*order 3 fails/)
    await rows.first().getByRole('img', { name: '4 crashes in 30 days' }).waitFor()
    await page.getByRole('combobox', { name: 'Order' }).selectOption('firstSeen')
    await page.waitForURL(/sort=firstSeen/)
    await page.getByRole('button', { name: 'Filters' }).click()
    await page.getByRole('combobox', { name: 'Environment' }).fill('staging')
    await page.waitForURL(/environment=staging/)
    await page.getByText('1 crash group', { exact: true }).waitFor()
    await check(page)
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByRole('textbox', { name: 'Tag' }).fill('tenant:acme')
    await page.getByText('1 crash group', { exact: true }).waitFor()
    await page.goBack()
    await openPage(page, `${root}/crashes?sort=crashes`)

    await page.getByRole('checkbox', { name: /Torn/ }).check()
    await page.getByRole('checkbox', { name: /Full/ }).check()
    await check(page)
    const merge = page.getByRole('button', { name: 'Merge', exact: true })
    await merge.press('Enter')
    await page.getByRole('dialog', { name: 'Merge 2 groups' }).waitFor()
    await page.keyboard.press('Escape')
    await merge.and(page.locator(':focus')).waitFor()
    await page.getByText('2 groups chosen').waitFor()

    const all = page.getByRole('checkbox', { name: 'Choose all groups of this list' })
    await page.getByRole('button', { name: 'Assign' }).press('Enter')
    await page.getByRole('menuitemradio', { name: 'Ada Lovelace' }).and(page.locator(':focus')).waitFor()
    await check(page)
    await page.keyboard.press('Enter')
    await page.getByText('2 groups assigned').waitFor()
    await rows.first().getByText('Ada Lovelace').waitFor()
    await all.and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('2 groups as before').waitFor()
    await rows.first().getByText('Ada Lovelace').waitFor({ state: 'detached' })
    await all.and(page.locator(':focus')).waitFor()

    await page.getByRole('checkbox', { name: /Torn/ }).check()
    await page.getByRole('checkbox', { name: /Full/ }).check()
    await page.getByRole('button', { name: 'Merge', exact: true }).click()
    await page.getByRole('dialog', { name: 'Merge 2 groups' }).waitFor()
    await check(page)
    await page.getByRole('button', { name: 'Merge them' }).click()
    await page.getByText('2 groups merged').waitFor()
    await rows.nth(3).waitFor({ state: 'detached' })
    assert.match(await rows.first().innerText(), /7/)

    await page.getByRole('checkbox', { name: /Gone/ }).check()
    await page.getByRole('button', { name: 'Ignore' }).click()
    await page.getByText('1 group ignored').waitFor()
    await rows.nth(2).waitFor({ state: 'detached' })
    const marked = await dashboard.callApi(`/v1${root}/crashGroups`, {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ filter: { status: 'open' }, status: 'open', isRegressed: true }),
    })
    assert.equal(marked.status, 200)
    await openPage(page, `${root}/crashes?sort=crashes`)
    await rows.nth(1).getByText('Regressed').waitFor()
    await all.check()
    await page.getByRole('button', { name: 'Resolve', exact: true }).press('Enter')
    await page.getByRole('heading', { name: 'No crashes' }).waitFor()
    await page.getByRole('button', { name: 'Undo' }).and(page.locator(':focus')).waitFor()
    await check(page)
    await page.keyboard.press('Enter')
    await page.getByText('2 groups as before').waitFor()
    await rows.nth(1).getByText('Regressed').waitFor()
    await rows.first().getByRole('checkbox').click()
    await rows
      .nth(1)
      .getByRole('checkbox')
      .click({ modifiers: ['Shift'] })
    await page.getByRole('button', { name: 'Resolve', exact: true }).click()
    await page.getByRole('heading', { name: 'No crashes' }).waitFor()
    await page.getByText('Resolved', { exact: true }).click()
    await page.getByText('2 crash groups', { exact: true }).waitFor()
    await page.context().close()
  })
})
