/** Finding anything by keyboard: Ctrl and K, and the keys that are single letters. */
import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { createSigner, writeApk } from '@fairlead/binary/fixture'
import type { Page } from 'playwright-core'
import { readAnswer } from '../../scripts/read-json.ts'
import { findBarriers, measureOverflow } from './accessibility.ts'
import { skip } from './chromium.ts'
import { type FilledAnalysis, fillAnalysis } from './filled-analysis.ts'
import { openPage } from './filled-workspace.ts'
import { password } from './first-start.ts'
import { openDashboardOnEngine } from './on-engine.ts'
import type { OpenedDashboard } from './opened-dashboard.ts'

/** The folder for screenshots; without it none are taken. */
const screenshots = process.env.FAIRLEAD_TEST_SCREENSHOTS
const signers = [createSigner()]
const commit = '9c1e0f4b7d2a6853e1f0c9b8a7d6e5f4c3b2a190'

describe('the finder', { skip, timeout: 900_000 }, () => {
  let opened: OpenedDashboard
  let analysis: FilledAnalysis
  let root: string
  let buildId: number

  before(async () => {
    opened = await openDashboardOnEngine()
    analysis = await fillAnalysis(opened.fresh.baseUrl, opened.workspace)
    root = `/applications/${opened.workspace.applicationId}`
    const json = { 'Content-Type': 'application/json' }
    const body = JSON.stringify({ name: 'Harbour', alias: 'harbour', platform: 'android' })
    await opened.callApi('/v1/applications', { method: 'POST', headers: json, body })
    buildId = await upload('7.3', 4711, { 'X-Service-Branch': 'feature/tides', 'X-Service-Commit': commit })
    if (screenshots !== undefined) await mkdir(screenshots, { recursive: true })
  })
  after(async () => {
    opened?.chromium.checkComplaints()
    await opened?.[Symbol.asyncDispose]()
  })

  async function upload(versionName: string, versionCode: number, headers: Record<string, string>): Promise<number> {
    const packageName = 'com.example.harbour'
    const answer = await opened.callApi('/v2/builds', {
      method: 'POST',
      headers: { 'X-Service-Application-Alias': 'harbour', ...headers },
      body: new Uint8Array(writeApk({ packageName, versionCode, versionName, signers })),
    })
    assert.equal(answer.status, 201)
    return (await readAnswer<{ id: number }>(answer)).id
  }

  /** Opens the finder by its key, and types. */
  async function find(page: Page, text: string): Promise<void> {
    await page.keyboard.press('Control+k')
    const field = page.getByRole('combobox', { name: /^Find/ })
    await field.and(page.locator(':focus')).waitFor()
    await page.keyboard.type(text)
    await page
      .getByRole('status')
      .getByText(/^\d+ results?$|^Nothing found$/)
      .waitFor({ state: 'attached' })
  }

  const option = (page: Page, section: string, name: string | RegExp) =>
    page.getByRole('listbox', { name: 'Found' }).getByRole('group', { name: section }).getByRole('option', { name })

  it('opens builds by version, number, branch and commit, by keyboard only', async () => {
    const page = await opened.openPage()
    await openPage(page, '/tokens')
    for (const text of ['7.3', '4711', 'feature/tides', commit.slice(0, 9), 'harb 7.3', 'harb #1']) {
      await find(page, text)
      await option(page, 'Builds', /^7\.3 \(4711\).*feature\/tides/).waitFor()
      assert.equal(await option(page, 'Builds', /^7\.3 \(4711\)/).getAttribute('aria-selected'), 'true', text)
      await page.keyboard.press('Enter')
      await page.waitForURL(`**/builds/${buildId}`)
      await page.locator('#main:focus').waitFor()
      await page.goBack()
      await page.getByRole('heading', { name: 'API tokens', level: 1 }).waitFor()
    }
    await page.context().close()
  })

  it('opens applications, crashes, tests, groups, testers and pages', async () => {
    const page = await opened.openPage()
    await openPage(page, root)
    const places: [text: string, section: string, name: RegExp, path: RegExp][] = [
      ['harbour', 'Applications', /^Harbour/, /\/applications\/\d+$/],
      ['no chart', 'Crashes', /IllegalStateException/, new RegExp(`/crashes/${analysis.crashGroupId}$`)],
      ['checks out', 'Tests', /^checks out.*CartTest/, new RegExp(`/tests/${analysis.testId}$`)],
      ['beta', 'Groups', /^Beta/, new RegExp(`/groups/${opened.workspace.groupId}$`)],
      ['grace', 'Testers', /^grace@example\.com/, /\/testers\?q=grace%40example\.com$/],
      ['webhook', 'Pages', /^Hooks/, /\/hooks$/],
      ['invite', 'Pages', /^Members/, /\/members$/],
    ]
    for (const [text, section, name, path] of places) {
      await openPage(page, root)
      await find(page, text)
      const wanted = option(page, section, name).first()
      await wanted.waitFor()
      while ((await wanted.getAttribute('aria-selected')) !== 'true') await page.keyboard.press('ArrowDown')
      const active = await page.getByRole('combobox', { name: /^Find/ }).getAttribute('aria-activedescendant')
      assert.equal(active, await wanted.getAttribute('id'))
      await page.keyboard.press('Enter')
      await page.waitForURL(path)
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    await openPage(page, '/testers?q=grace%40example.com')
    await page.getByText('1 tester', { exact: true }).waitFor()
    await page.context().close()
  })

  it('offers every page of the navigation and every tab, and searches the open application', async () => {
    const page = await opened.openPage()
    await openPage(page, root)
    const names = await page.locator('nav[aria-label="Main"] a, nav[aria-label="Pilot"] a').allInnerTexts()
    assert.ok(names.length > 20)
    await page.getByRole('button', { name: 'Find', exact: true }).click()
    // Pages of the workspace are offered at once, those of the open application when the finder has read its name.
    await option(page, 'Pages', /^Retention/).waitFor()
    const titles = await page.getByRole('group', { name: 'Pages' }).getByRole('option').allInnerTexts()
    const offered = new Set(titles.map((title) => title.split('\n')[0]))
    assert.deepEqual(
      names.filter((name) => !offered.has(name)),
      [],
    )
    await page.getByText(/^Builds, crashes and tests of Pilot\./).waitFor()
    await page.keyboard.type('7.3')
    await page.getByText('Nothing is called “7.3”.').waitFor()
    await page.getByRole('option', { name: /^Search all applications/, selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await option(page, 'Builds', /^7\.3 \(4711\)/).waitFor()
    await page.getByText(/^Builds, crashes and tests of Harbour/).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Find', exact: true }).and(page.locator(':focus')).waitFor()
    await page.context().close()
  })

  it('keeps to the rights of the account', async () => {
    const json = { 'Content-Type': 'application/json' }
    const invited = await opened.callApi('/v1/invitations', {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ email: 'vic@example.com', role: 'viewer' }),
    })
    const { inviteUrl } = await readAnswer<{ inviteUrl: string }>(invited)
    const page = await opened.chromium.openPage({ baseURL: opened.fresh.baseUrl })
    await page.goto(inviteUrl)
    await page.getByLabel('Your name').fill('Vic')
    await page.getByRole('textbox', { name: 'Password' }).fill(password)
    await page.getByRole('button', { name: /Join/ }).click()
    await page.getByRole('heading', { name: 'Applications', level: 1 }).waitFor()
    for (const text of ['tokens', 'webhook', 'audit', 'provisioning', 'sign-in providers']) {
      await find(page, text)
      await page.getByText(`Nothing is called “${text}”.`).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    await openPage(page, root)
    await find(page, 'rename')
    await page.getByText('Nothing is called “rename”.').waitFor()
    await page.context().close()
  })

  it('says when a search failed, and leaves an open dialog alone', async () => {
    const page = await opened.openPage()
    await openPage(page, root)
    await page.route(/\/crashGroups\?/, (route) => route.fulfill({ status: 400, body: '{}' }))
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: /^Find/ }).fill('1.0')
    await page.getByText('Some of the search failed, so something may be missing.').waitFor()
    await option(page, 'Builds', '1.0 (2)').waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await openPage(page, '/groups')
    await page.getByRole('button', { name: 'New group' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Night')
    await page.keyboard.press('Control+k')
    assert.equal(await page.getByRole('dialog').getByLabel('Name').inputValue(), 'Night')
    assert.equal(await page.getByRole('dialog').count(), 1)
    await page.context().close()
  })

  it('has keys that are single letters, which can be turned off', async () => {
    const page = await opened.openPage()
    const keysLoaded = page.waitForResponse(/\/assets\/finder-.*js/)
    await openPage(page, `${root}/builds`)
    await keysLoaded
    const rows = page.getByRole('list', { name: 'Builds' }).getByRole('listitem')
    const focused = page.locator(':focus')
    // The script was loaded, and listens when React has rendered it.
    for (;;) {
      await page.keyboard.press('j')
      if ((await rows.first().locator('a:focus').count()) > 0) break
    }
    await page.keyboard.press('j')
    await rows.nth(1).locator(focused).waitFor()
    await page.keyboard.press('k')
    await rows.first().locator(focused).waitFor()
    await page.keyboard.press('/')
    await page.getByLabel('Search builds', { exact: true }).and(focused).waitFor()
    await page.keyboard.type('gb?')
    assert.equal(await page.getByLabel('Search builds', { exact: true }).inputValue(), 'gb?')
    await page.getByRole('link', { name: 'Show all builds' }).click()
    await page.getByRole('link', { name: 'Builds', exact: true }).focus()
    await page.keyboard.press('g')
    await page.keyboard.press('c')
    await page.waitForURL(`**${root}/crashes`)
    await page.keyboard.press('g')
    await page.keyboard.press('a')
    await page.waitForURL('**/applications')
    await page.keyboard.press('?')
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await dialog.getByRole('row', { name: /^Find/ }).waitFor()
    assert.deepEqual(await findBarriers(page), [])
    if (screenshots !== undefined) await page.screenshot({ path: join(screenshots, 'keys.png') })
    await dialog.getByRole('switch', { name: 'Single letters are shortcuts' }).click()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.keyboard.press('?')
    await find(page, 'shortcuts')
    assert.equal(await page.getByRole('dialog').count(), 1)
    await page.keyboard.press('Enter')
    await dialog.waitFor()
    await page.context().close()
  })

  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [390, 1440]) {
      it(`passes axe and fits the screen: ${colorScheme}, ${width} px`, async () => {
        const page = await opened.openPage({ colorScheme, viewport: { width, height: 844 }, reducedMotion: 'reduce' })
        await openPage(page, root)
        await page.getByRole('button', { name: 'Find', exact: true }).click()
        for (const text of ['', '1.0', 'chart', 'no such thing'.repeat(9)]) {
          await page.getByRole('combobox', { name: /^Find/ }).fill(text)
          await page
            .getByRole('status')
            .getByText(/result|Nothing/)
            .waitFor({ state: 'attached' })
          assert.deepEqual(await findBarriers(page), [], text)
          assert.equal(await measureOverflow(page), 0)
          const name = `finder-${colorScheme}-${width}-${text.slice(0, 5)}.png`
          if (screenshots !== undefined) await page.screenshot({ path: join(screenshots, name) })
        }
        await page.context().close()
      })
    }
  }

  it('searches four applications at a time, the newest first, until something is found', async () => {
    for (const alias of ['dock-1', 'dock-2', 'dock-3', 'dock-4', 'dock-5']) {
      const headers = { 'Content-Type': 'application/json' }
      const body = JSON.stringify({ name: alias, alias, platform: 'android' })
      assert.equal((await opened.callApi('/v1/applications', { method: 'POST', headers, body })).status, 201)
    }
    const page = await opened.openPage()
    await openPage(page, '/tokens')
    const asked: string[] = []
    page.on('request', (request) => {
      if (/\/builds\?/.test(request.url())) asked.push(request.url())
    })
    await page.keyboard.press('Control+k')
    // Letters that are typed with pauses would be searched for one by one.
    await page.getByRole('combobox', { name: /^Find/ }).fill('feature/tides')
    await option(page, 'Builds', /^7\.3 \(4711\)/).waitFor()
    await page
      .getByRole('status')
      .getByText(/^\d+ results?$/)
      .waitFor({ state: 'attached' })
    assert.equal(asked.length, 8, 'one of the nine applications is not needed')
    await option(page, 'More', /^Search all applications/).waitFor()
    await page.context().close()
  })

  it('shows a version before newer builds of the branch that is named after it', async () => {
    await upload('8.0', 4712, { 'X-Service-Branch': 'release/7.3' })
    const page = await opened.openPage()
    await openPage(page, '/tokens')
    await find(page, 'harb 7.3')
    const builds = page.getByRole('listbox', { name: 'Found' }).getByRole('group', { name: 'Builds' })
    await builds.getByRole('option', { name: /^8\.0/ }).waitFor()
    assert.match((await builds.getByRole('option').first().textContent()) ?? '', /^7\.3/)
    await page.context().close()
  })
})
