/** A tab that was open while the server was upgraded, or that lost its connection. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { findBarriers } from './accessibility.ts'
import { skip } from './chromium.ts'
import { type OpenedDashboard, openDashboard } from './opened-dashboard.ts'

describe('an open tab of the dashboard', { skip, timeout: 900_000 }, () => {
  let dashboard: OpenedDashboard

  before(async () => {
    dashboard = await openDashboard()
  })
  after(() => dashboard?.[Symbol.asyncDispose]())

  /** Opens the list of applications, and then answers 404 for the script of another page, as after an upgrade. */
  async function openOldTab(): Promise<{ page: Page; upgrade: () => void; reloads: () => number }> {
    const page = await dashboard.openPage({ viewport: { width: 390, height: 800 } })
    await page.goto('/applications')
    await page.getByRole('heading', { name: 'Applications', level: 1 }).waitFor()
    let isGone = true
    let reloads = 0
    await page.route('**/assets/MembersPage*', async (route) => {
      if (isGone) await route.fulfill({ status: 404, body: '{}' })
      else await route.fallback()
    })
    page.on('request', (request) => (reloads += request.isNavigationRequest() ? 1 : 0))
    return { page, upgrade: () => (isGone = false), reloads: () => reloads }
  }

  async function goToMembers(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Navigation' }).click()
    await page.getByRole('dialog').getByRole('link', { name: 'Members' }).click()
  }

  it('is loaded again by itself when a script is gone, and shows the page', async () => {
    const { page, upgrade, reloads } = await openOldTab()
    page.on('request', (request) => {
      if (request.isNavigationRequest()) upgrade()
    })
    await goToMembers(page)
    await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor()
    assert.equal(reloads(), 1)
    await page.context().close()
  })

  it('says so when the script is still gone, and loads it on demand', async () => {
    const { page, upgrade, reloads } = await openOldTab()
    await goToMembers(page)
    await page.getByRole('heading', { name: 'A part of this page could not be loaded' }).waitFor()
    assert.equal(reloads(), 1)
    assert.deepEqual(await findBarriers(page), [])
    upgrade()
    await page.getByRole('button', { name: 'Load the page again' }).click()
    await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor()
    await page.context().close()
  })

  it('says that it is offline, stays, and goes on when the connection is back', async () => {
    const page = await dashboard.openPage({ viewport: { width: 1280, height: 800 } })
    await page.goto('/applications')
    await page.getByRole('heading', { name: 'Applications', level: 1 }).waitFor()
    await page.context().setOffline(true)
    await page.getByText('You are offline. Only what was loaded before can be shown.').waitFor()
    await page.getByRole('link', { name: 'Pilot' }).first().waitFor()
    assert.deepEqual(await findBarriers(page), [])
    await page.getByRole('link', { name: 'Members' }).click()
    await page.context().setOffline(false)
    await page.getByText('You are offline.').waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor()
    await page.context().close()
  })
})
