import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { createSigner, writeApk, writeIcon } from '@fairlead/binary/fixture'
import type { Page } from 'playwright-core'
import { type Chromium, skip, slowNetwork, startChromium } from './chromium.ts'
import { type FilledWorkspace, fillWorkspace } from './filled-workspace.ts'
import { type FreshServer, startFreshServer } from './first-start.ts'

/** The limit in bytes for all compressed scripts that are loaded until the page is complete. */
const scriptLimit = 180_000

const branches = ['main', 'feature/charts', 'feature/offline']

describe('the dashboard on a slow network', { skip, timeout: 240_000 }, () => {
  let fresh: FreshServer
  let chromium: Chromium
  let workspace: FilledWorkspace
  let list: string

  before(async () => {
    fresh = await startFreshServer()
    workspace = await fillWorkspace(fresh)
    list = `/applications/${workspace.applicationId}`
    const signers = [createSigner()]
    for (let number = 100; number < 140; number++) {
      const icon = writeIcon(96, [number, 100, 140])
      const body = writeApk({ label: 'Pilot', versionCode: number, versionName: `2.${number}`, signers, icon })
      const response = await fetch(`${fresh.baseUrl}/v2/builds`, {
        method: 'POST',
        headers: {
          'X-Service-Token': workspace.apiToken,
          'X-Service-Application-Alias': 'pilot',
          'X-Service-Branch': branches[number % branches.length] ?? '',
        },
        body: new Uint8Array(body),
      })
      assert.equal(response.status, 201)
    }
    chromium = await startChromium()
  })

  after(async () => {
    await chromium?.[Symbol.asyncDispose]()
    await fresh?.[Symbol.asyncDispose]()
  })

  async function openSlowPage(): Promise<Page> {
    const page = await chromium.openPage({ baseURL: fresh.baseUrl, network: slowNetwork })
    page.setDefaultTimeout(30_000)
    await page.context().addCookies([workspace.cookie])
    return page
  }

  it('shows a list of links before its scripts are loaded', async () => {
    const places = [
      { path: '/applications', link: 'Pilot' },
      { path: list, link: '2.139 (139)' },
      { path: `/builds/${workspace.buildId}`, link: 'Open the install page' },
    ]
    for (const { path, link } of places) {
      const page = await openSlowPage()
      let hasMainScript = false
      page.on('requestfinished', (request) => {
        if (/\/assets\/index-.*\.js$/.test(request.url())) hasMainScript = true
      })
      await page.goto(path, { waitUntil: 'commit' })
      await page.locator('#first-look').getByRole('link', { name: link, exact: true }).first().waitFor()
      assert.equal(hasMainScript, false, path)
      await page.getByRole('navigation', { name: 'Main' }).waitFor()
      assert.equal(await page.locator('#first-look').count(), 0)
      await page.context().close()
    }
  })

  it('loads at most 180 kB of compressed scripts in few files for the list and for a build', async () => {
    for (const [path, shown] of [
      [list, 'Builds'],
      [`/builds/${workspace.buildId}`, 'Release notes'],
    ] as const) {
      const page = await chromium.openPage({ baseURL: fresh.baseUrl })
      await page.context().addCookies([workspace.cookie])
      const sizes: Promise<number>[] = []
      page.on('requestfinished', (request) => {
        if (request.resourceType() !== 'script') return
        sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize))
      })
      await page.goto(path)
      if (shown === 'Builds') await page.getByRole('list', { name: shown }).waitFor()
      else await page.getByRole('region', { name: shown }).locator('strong', { hasText: 'offline' }).waitFor()
      const scripts = [...sizes]
      const bytes = (await Promise.all(scripts)).reduce((sum, size) => sum + size, 0)
      assert.ok(bytes > 50_000 && bytes <= scriptLimit, `${path}: ${bytes} bytes`)
      assert.ok(scripts.length <= 6, `${path}: ${scripts.length} scripts`)
      await page.context().close()
    }
  })

  it('loads icons of rows lazily', async () => {
    const page = await chromium.openPage({ baseURL: fresh.baseUrl, viewport: { width: 800, height: 400 } })
    await page.context().addCookies([workspace.cookie])
    await page.goto(list)
    await page.getByRole('link', { name: '2.139 (139)' }).waitFor()
    assert.equal(await page.locator('li img:not([loading="lazy"])').count(), 0)
    await page.context().close()
  })

  it('keeps every letter that is typed into the search, and shows the old list while the next one loads', async () => {
    const page = await openSlowPage()
    await page.goto(list)
    const search = page.getByLabel('Search builds', { exact: true })
    await search.waitFor()
    // The attribute shows later whether the element was kept or replaced.
    await search.evaluate((element) => element.setAttribute('data-mark', 'first'))
    // The typing is slower than the debounce of the filter, so that each letter is typed while a request runs.
    await search.pressSequentially('2.117', { delay: 300 })
    assert.equal(await search.inputValue(), '2.117')
    assert.equal(await page.getByRole('list', { name: 'Builds' }).count(), 1)
    await page.getByText('1 matching build').waitFor()
    assert.equal(await search.inputValue(), '2.117')
    assert.equal(await search.getAttribute('data-mark'), 'first')
    assert.equal(await page.evaluate('document.activeElement.getAttribute("data-mark")'), 'first')
    assert.match(page.url(), /q=.*2\.117/)

    await page.getByRole('button', { name: 'Clear: Search builds' }).click()
    await page.getByText('42 builds').waitFor()
    assert.equal(await search.getAttribute('data-mark'), 'first')
    assert.equal(await search.inputValue(), '')
    await page.context().close()
  })

  it('suggests branches, and filters by the beginning of a branch', async () => {
    const page = await openSlowPage()
    await page.goto(list)
    const branch = page.getByRole('combobox', { name: 'Branch' })
    await branch.waitFor()
    const suggestions = page.locator('datalist option')
    assert.deepEqual(
      await suggestions.evaluateAll((options) => options.map((option) => option.getAttribute('value'))),
      branches.toSorted(),
    )
    await branch.pressSequentially('feature/char')
    await page.waitForURL((url) => url.searchParams.get('branch') === 'feature/char*')
    await page.getByText('14 matching builds').waitFor()
    await branch.pressSequentially('ts')
    await page.waitForURL((url) => url.searchParams.get('branch') === 'feature/charts')
    await page.getByText('14 matching builds').waitFor()
    assert.equal(await branch.inputValue(), 'feature/charts')
    await branch.fill('no/such')
    await branch.press('Enter')
    await page.getByRole('heading', { name: 'No build matches' }).waitFor()
    await page.getByRole('link', { name: 'Show all builds' }).click()
    await page.getByText('42 builds').waitFor()
    assert.equal(await branch.inputValue(), '')
    await page.context().close()
  })

  it('creates one thing by a double click, and keeps a dialog open until the answer is there', async () => {
    const page = await chromium.openPage({ baseURL: fresh.baseUrl })
    await page.context().addCookies([workspace.cookie])
    const sent: string[] = []
    await page.route('**/v1/**', async (route) => {
      if (route.request().method() === 'POST') sent.push(new URL(route.request().url()).pathname)
      await setTimeout(400)
      await route.continue()
    })
    const dialog = page.getByRole('dialog')

    await page.goto('/groups')
    await page.getByRole('button', { name: 'New group' }).click()
    await dialog.getByLabel('Name').fill('Night')
    await dialog.getByRole('button', { name: 'Create' }).dblclick()
    await dialog.getByRole('status').getByText('Working…').waitFor()
    await page.keyboard.press('Escape')
    assert.equal(await dialog.getByLabel('Name').inputValue(), 'Night')
    await page.getByRole('heading', { name: 'Night' }).waitFor()
    await dialog.waitFor({ state: 'detached' })

    await page.goto('/tokens')
    await page.getByRole('button', { name: 'New token' }).click()
    await dialog.getByLabel('Name').fill('Nightly job')
    await dialog.getByRole('button', { name: 'Create' }).dblclick()
    await dialog.getByRole('status').getByText('Working…').waitFor()
    await page.keyboard.press('Escape')
    // The server tells the token only once.
    assert.match(await page.getByRole('textbox', { name: 'API token' }).inputValue(), /^fl_/)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Done' }).click()

    assert.deepEqual(sent, ['/v1/distributionGroups', '/v1/apiTokens'])
    await page.context().close()
  })
})
