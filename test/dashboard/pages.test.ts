import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { findBarriers, measureOverflow } from './accessibility.ts'
import { type Chromium, skip, startChromium } from './chromium.ts'
import { type FilledWorkspace, fillWorkspace, listPages, openPage } from './filled-workspace.ts'
import { untilQuiet } from './requests-of-page.ts'
import { type FreshServer, startFreshServer } from './first-start.ts'

/** The folder for screenshots; without it none are taken. */
const screenshots = process.env.FAIRLEAD_TEST_SCREENSHOTS

const signedOut = ['/sign-in', '/forgot-password', '/reset?token=x', '/invitation?token=x', '/setup?code=x']

/** Two combinations cover every colour scheme and width; the others only run for screenshots. */
const looks: { colorScheme: 'light' | 'dark'; width: number; isShownOnly?: boolean }[] = [
  { colorScheme: 'light', width: 360 },
  { colorScheme: 'dark', width: 1440 },
  { colorScheme: 'light', width: 1440, isShownOnly: true },
  { colorScheme: 'dark', width: 360, isShownOnly: true },
]

describe('every page of the dashboard', { skip, timeout: 900_000 }, () => {
  let fresh: FreshServer
  let chromium: Chromium
  let workspace: FilledWorkspace

  before(async () => {
    fresh = await startFreshServer()
    workspace = await fillWorkspace(fresh)
    chromium = await startChromium()
    if (screenshots !== undefined) await mkdir(screenshots, { recursive: true })
  })

  after(async () => {
    await chromium?.[Symbol.asyncDispose]()
    await fresh?.[Symbol.asyncDispose]()
  })

  for (const { colorScheme, width, isShownOnly = false } of looks) {
    if (!isShownOnly || screenshots !== undefined) {
      it(`passes axe, fits the screen and sends no request elsewhere: ${colorScheme}, ${width} px`, async () => {
        const page = await chromium.openPage({
          baseURL: fresh.baseUrl,
          colorScheme,
          viewport: { width, height: 800 },
          reducedMotion: 'reduce',
        })
        const faults: string[] = []
        for (const path of signedOut) faults.push(...(await inspect(page, path)))
        await page.context().addCookies([workspace.cookie])
        for (const path of listPages(workspace)) faults.push(...(await inspect(page, path)))
        assert.deepEqual(faults, [])
        chromium.checkComplaints()
        await page.context().close()
      })
    }
  }

  it('shifts its layout very little while it loads', async () => {
    const page = await chromium.openPage({ baseURL: fresh.baseUrl })
    await page.context().addCookies([workspace.cookie])
    await page.addInitScript(() => {
      const shifts: number[] = []
      Object.assign(globalThis, { shifts })
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) if ('value' in entry) shifts.push(Number(entry.value))
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Node's types name only the entries of Node
      }).observe({ type: 'layout-shift' as 'measure', buffered: true })
    })
    await openPage(page, `/builds/${workspace.buildId}`)
    await untilQuiet(page)
    const shift = await page.evaluate<number>('shifts.reduce((sum, value) => sum + value, 0)')
    assert.ok(shift < 0.1, `layout shift of ${shift}`)
    await page.context().close()
  })

  it('has one heading of level 1 where an application has nothing at an address', async () => {
    const page = await chromium.openPage({ baseURL: fresh.baseUrl })
    await page.context().addCookies([workspace.cookie])
    for (const path of ['crashes/999999', 'crash-reports/999999', 'tests/runs/999999', 'no/such/page']) {
      await openPage(page, `/applications/${workspace.applicationId}/${path}`)
      await page.getByRole('heading', { name: 'Not found' }).waitFor()
      assert.equal(await page.getByRole('heading', { level: 1 }).count(), 1, path)
      assert.equal(await page.title(), 'Not found · Fairlead', path)
    }
    await page.context().close()
  })

  it('shows the tab of the page that is open, even where the tabs are wider than the screen', async () => {
    const page = await chromium.openPage({ baseURL: fresh.baseUrl, viewport: { width: 390, height: 844 } })
    await page.context().addCookies([workspace.cookie])
    await openPage(page, `/applications/${workspace.applicationId}/settings`)
    const box = await page.getByRole('link', { name: 'Settings' }).boundingBox()
    assert.ok(box && box.x >= 0 && box.x + box.width <= 390, JSON.stringify(box))
    await page.context().close()
  })

  it('can be used by keyboard, with a visible focus', async () => {
    const page = await chromium.openPage({ baseURL: fresh.baseUrl })
    await page.context().addCookies([workspace.cookie])
    await openPage(page, `/applications/${workspace.applicationId}/builds`)
    await page.keyboard.press('Tab')
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to the content')
    const reached = new Set<string>()
    for (let step = 0; step < 80; step++) {
      await page.keyboard.press('Tab')
      const [name, isVisible] = await page.evaluate<[string, boolean]>(describeFocus)
      // After the last element the focus moves to the browser's own controls.
      if (name === '') break
      assert.ok(isVisible, `the focus on “${name}” is not visible`)
      reached.add(name)
    }
    for (const name of ['Applications', 'Symbols', 'Copy the alias', 'Search builds', 'Upload a build', '1.0 (2)']) {
      assert.ok(reached.has(name), `${name} is not reached: ${[...reached].join(', ')}`)
    }
    await page.context().close()
  })

  async function inspect(page: Page, path: string): Promise<string[]> {
    await openPage(page, path)
    const { width } = page.viewportSize() ?? { width: 0 }
    const isDark = await page.evaluate<boolean>('matchMedia("(prefers-color-scheme: dark)").matches')
    if (screenshots !== undefined) {
      const name = `${path.replace(/[^a-z0-9]+/g, '-').slice(1)}-${width}-${isDark ? 'dark' : 'light'}.png`
      await page.screenshot({ path: join(screenshots, name), fullPage: true })
    }
    const overflow = await measureOverflow(page)
    return [
      ...(overflow > 0 ? [`${path} is ${overflow} px too wide`] : []),
      ...(await findBarriers(page)).map((barrier) => `${path}: ${barrier}`),
    ]
  }
})

/** Runs in the page: returns the name of the focused element, and whether its focus is visible. */
const describeFocus = `(() => {
  const element = document.activeElement
  if (element === document.body) return ['', false]
  const named = element.getAttribute('aria-label') ?? (element.labels?.[0] ?? element).textContent
  const row = element.closest('li') ?? element
  const isMarked = [element, row].some((shown) => getComputedStyle(shown).outlineStyle !== 'none')
  const field = element.matches('input, select, textarea')
  return [named.trim(), isMarked || field]
})()`
