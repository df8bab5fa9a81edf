import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { createSigner, writeApk, writeIcon } from '@fairlead/binary/fixture'
import type { Page, Request } from 'playwright-core'
import { type Chromium, skip, slowNetwork, startChromium } from './chromium.ts'
import { type FilledAnalysis, fillAnalysis, listAnalysisPages } from './filled-analysis.ts'
import { type FilledWorkspace, fillWorkspace, listPages, openPage } from './filled-workspace.ts'
import { untilQuiet } from './requests-of-page.ts'
import { type FreshServer, startFreshServer } from './first-start.ts'

/** The limit in bytes for all compressed scripts that are loaded until the page is complete. */
const scriptLimit = 180_000

/** Menus, dialogs and notices are loaded when the page is complete, charts when it shows what they draw. */
const idleScripts = /\/(overlays|DialogFrame|NavigationDrawer|NoticeList|qr-code|charts|\w+Charts?)-/
/** Every page fetches these when it has been idle for a moment, on a busy machine perhaps before it is complete. */
const firstIdleScript = /\/(finder|LiveNews)-/

const branches = ['main', 'feature/charts', 'feature/offline']

describe('the dashboard on a slow network', { skip, timeout: 900_000 }, () => {
  let fresh: FreshServer
  let chromium: Chromium
  let workspace: FilledWorkspace
  let analysis: FilledAnalysis
  let root: string
  let list: string

  before(async () => {
    fresh = await startFreshServer()
    workspace = await fillWorkspace(fresh)
    root = `/applications/${workspace.applicationId}`
    list = `${root}/builds`
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
    analysis = await fillAnalysis(fresh.baseUrl, workspace)
    chromium = await startChromium()
  })

  after(async () => {
    await chromium?.[Symbol.asyncDispose]()
    await fresh?.[Symbol.asyncDispose]()
  })

  async function openSlowPage(): Promise<Page> {
    const page = await chromium.openPage({ baseURL: fresh.baseUrl, network: slowNetwork })
    page.setDefaultTimeout(60_000)
    await page.context().addCookies([workspace.cookie])
    return page
  }

  it('shows what a page is about before its scripts are loaded', async () => {
    const places = [
      { path: '/applications', text: 'Pilot' },
      { path: root, text: '2.139 (139)' },
      { path: list, text: '2.139 (139)' },
      { path: `/builds/${workspace.buildId}`, text: 'Open the install page' },
      { path: `${root}/feedback`, text: 'Charts work' },
      { path: `${root}/alerts`, text: 'Crash group is back' },
      { path: '/start', text: '3 applications' },
      { path: '/testers', text: 'grace@example.com' },
      { path: `/groups/${workspace.groupId}`, text: 'grace@example.com' },
      { path: `${root}/crashes`, text: 'IllegalStateException' },
      { path: `${root}/crashes/${analysis.crashGroupId}`, text: 'com.example.pilot.MainActivity.onCreate' },
      { path: `${root}/crash-reports/${analysis.crashId}`, text: 'com.example.pilot.MainActivity.onCreate' },
      { path: `${root}/stability`, text: '100% crash-free' },
      { path: `${root}/tests`, text: '1 failed, 1 passed' },
      { path: `${root}/tests/runs/${analysis.testRunId}`, text: 'cart is empty' },
      { path: `${root}/tests/${analysis.testId}`, text: 'cart is empty' },
    ]
    for (const { path, text } of places) {
      const page = await openSlowPage()
      let hasMainScript = false
      page.on('requestfinished', (request) => {
        if (/\/assets\/index-.*\.js$/.test(request.url())) hasMainScript = true
      })
      await page.goto(path, { waitUntil: 'commit' })
      await page.locator('#first-look').getByText(text).first().waitFor()
      assert.equal(hasMainScript, false, path)
      if (path === list) {
        await page.getByRole('navigation', { name: 'Main' }).waitFor()
        assert.equal(await page.locator('#first-look').count(), 0)
      }
      await page.context().close()
    }
  })

  it('loads at most 180 kB of compressed scripts, asks for everything once, and keeps its layout', async () => {
    const faults: string[] = []
    for (const path of [...listPages(workspace), ...listAnalysisPages(workspace, analysis)]) {
      const page = await chromium.openPage({ baseURL: fresh.baseUrl })
      await page.context().addCookies([workspace.cookie])
      await page.addInitScript(collectShifts)
      const sizes: Promise<number>[] = []
      const asked: string[] = []
      const counted = new Set<Request>()
      let isIdle = false
      page.on('request', (request) => {
        const { pathname, search } = new URL(request.url())
        asked.push(pathname + search)
        isIdle ||= firstIdleScript.test(pathname)
        if (request.resourceType() === 'script' && !isIdle && !idleScripts.test(pathname)) counted.add(request)
      })
      page.on('requestfinished', (request) => {
        if (!counted.has(request)) return
        sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize))
      })
      await openPage(page, path)
      const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
      if (bytes <= 50_000 || bytes > scriptLimit) faults.push(`${path}: ${bytes} bytes of scripts`)
      await untilQuiet(page)
      const twice = asked.filter((url, place) => url.startsWith('/v1/') && asked.indexOf(url) !== place)
      // A request that failed early is sent again, because the session may have begun since.
      if (!path.includes('999999') && twice.length > 0) faults.push(`${path}: asks twice for ${twice.join(', ')}`)
      const shift = await page.evaluate<number>('shifts.reduce((sum, value) => sum + value, 0)')
      if (shift > 0.02) faults.push(`${path}: a layout shift of ${shift}`)
      await page.context().close()
    }
    assert.deepEqual(faults, [])
  })

  /** Opens a page, on which one answer may come long after the others, and returns what was asked and what moved. */
  async function openWithLateAnswer(path: string, late?: string, width = 1280) {
    const page = await chromium.openPage({ baseURL: fresh.baseUrl, viewport: { width, height: 800 } })
    await page.context().addCookies([workspace.cookie])
    await page.addInitScript(collectShifts)
    const asked: string[] = []
    await page.route('**/v1/**', async (route) => {
      const { pathname } = new URL(route.request().url())
      asked.push(pathname)
      if (pathname === late) await setTimeout(1500)
      await route.continue()
    })
    const answered = late === undefined ? undefined : page.waitForResponse((answer) => answer.url().includes(late))
    await openPage(page, path)
    await answered
    await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' })
    // The browser tells of a shift after the frame that has it.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100)))')
    const shift = await page.evaluate<number>('shifts.reduce((sum, value) => sum + value, 0)')
    await page.context().close()
    const faults = shift > 0.02 ? [`${path}: a layout shift of ${shift} when ${late} comes late`] : []
    return { asked, faults }
  }

  it('moves nothing on the pages of tests, whichever answer comes last', async () => {
    const faults: string[] = []
    const open = async (path: string, late?: string) => {
      const opened = await openWithLateAnswer(path, late)
      faults.push(...opened.faults)
      return opened.asked
    }
    const pages = [`${root}/tests/${analysis.testId}`, `${root}/tests/runs/${analysis.testRunId}`]
    for (const path of pages) {
      const asked = new Set((await open(path)).filter((url) => /test/.test(url)))
      assert.ok(asked.size >= 4, [...asked].join())
      // Two at a time, because each page computes for seconds on a busy machine.
      const late = asked.values()
      const work = async () => {
        for (const url of late) await open(path, url)
      }
      await Promise.all([work(), work()])
    }
    assert.deepEqual(faults, [])
  })

  it('moves nothing in the list of applications on a phone when their overviews come late', async () => {
    const { asked, faults } = await openWithLateAnswer('/applications', '/v1/applicationOverviews', 390)
    assert.ok(asked.includes('/v1/applicationOverviews'), asked.join())
    assert.deepEqual(faults, [])
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

/** Runs in the page before its own scripts. */
function collectShifts(): void {
  const shifts: number[] = []
  Object.assign(globalThis, { shifts })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if ('value' in entry) shifts.push(Number(entry.value))
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Node's types name only the entries of Node
  }).observe({ type: 'layout-shift' as 'measure', buffered: true })
}
