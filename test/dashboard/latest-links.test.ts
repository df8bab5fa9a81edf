import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { LatestLink } from '@fairlead/contract'
import { findBarriers, measureOverflow } from './accessibility.ts'
import { skip } from './chromium.ts'
import { type OpenedDashboard, openDashboard } from './opened-dashboard.ts'
import { readAnswer } from '../../scripts/read-json.ts'

const phone = { viewport: { width: 390, height: 844 } }
const android =
  'Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Mobile Safari/537.36'

describe('a latest link in the browser of a phone', { skip, timeout: 900_000 }, () => {
  let opened: OpenedDashboard
  before(async () => {
    opened = await openDashboard()
  })
  after(() => opened?.[Symbol.asyncDispose]())

  it('is made in the dashboard, opened on a phone, and ends there when it is revoked', async () => {
    const { workspace, chromium, fresh } = opened
    const page = await opened.openPage(phone)
    const path = `/applications/${workspace.applicationId}/links`
    await page.goto(path)
    await page.getByRole('button', { name: 'New latest link' }).click()
    await page.getByLabel('Name').fill('On the wall')
    await page.getByLabel('Shows').selectOption('The newest that Beta has')
    await page.getByRole('switch', { name: 'Ask for a password' }).check()
    await page.getByLabel('Password of the link').fill('open sesame')
    assert.deepEqual(await findBarriers(page), [])
    await page.getByRole('button', { name: 'Create' }).click()
    const card = page.getByRole('article', { name: 'On the wall' })
    await card.waitFor()
    const url = await card.getByRole('textbox', { name: 'address of On the wall' }).inputValue()
    assert.match(url, /\/latest\/[\w-]{22}$/)
    assert.deepEqual(await findBarriers(page), [])
    assert.equal(await measureOverflow(page), 0)

    const tester = await chromium.openPage({ baseURL: fresh.baseUrl, ...phone, userAgent: android })
    await tester.goto(new URL(url).pathname)
    await tester.getByLabel('Password').fill('open sesame')
    await tester.getByRole('button', { name: 'Continue' }).click()
    await tester.locator(`main[data-build-id="${workspace.buildId}"]`).waitFor()
    assert.equal(await measureOverflow(tester), 0)
    const download = await tester.getByRole('link', { name: 'Install' }).getAttribute('href')
    assert.equal((await fetch(fresh.baseUrl + String(download))).status, 200)

    await card.getByRole('button', { name: 'Change On the wall' }).click()
    await page.getByRole('switch', { name: 'Revoke the link' }).check()
    await page.getByRole('button', { name: 'Save' }).click()
    await card.getByText('Revoked').waitFor()
    await tester.goto(new URL(url).pathname)
    await tester.getByRole('heading', { name: 'This link was withdrawn' }).waitFor()
    assert.equal((await fetch(fresh.baseUrl + String(download))).status, 410)

    await card.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete it' }).click()
    await card.waitFor({ state: 'detached' })
    await tester.goto(new URL(url).pathname)
    await tester.getByRole('heading', { name: 'Nothing to install here' }).waitFor()
    await tester.context().close()
    await page.context().close()
  })

  it('lists earlier builds within the width of a phone', async () => {
    const { workspace, chromium, fresh } = opened
    const list = await readAnswer<LatestLink[]>(
      await opened.callApi(`/v1/applications/${workspace.applicationId}/latestLinks`),
    )
    const link = list[0]
    assert.ok(link)
    const answer = await opened.callApi(`/v1/latestLinks/${link.id}`, {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ distributionGroupId: null, follows: 'uploaded', showsOlder: true }),
    })
    assert.equal(answer.status, 200)
    for (const colorScheme of ['light', 'dark'] as const) {
      const tester = await chromium.openPage({
        baseURL: fresh.baseUrl,
        viewport: { width: 320, height: 640 },
        userAgent: android,
        colorScheme,
      })
      await tester.goto(new URL(link.url).pathname)
      await tester.getByRole('heading', { name: 'Earlier builds' }).waitFor()
      assert.deepEqual(await findBarriers(tester), [])
      assert.equal(await measureOverflow(tester), 0)
      await tester.context().close()
    }
  })
})
