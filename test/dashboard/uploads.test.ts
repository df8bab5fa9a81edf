import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createSigner, writeApk, writeIpa } from '@fairlead/binary/fixture'
import { dropFile, dropFiles, skip } from './chromium.ts'
import { type OpenedDashboard, openDashboard } from './opened-dashboard.ts'
import { readAnswer } from '../../scripts/read-json.ts'

const signers = [createSigner()]

function writeBuild(versionCode: number, packageName = 'dev.fairlead.sample'): Buffer {
  return writeApk({ packageName, label: 'Pilot', versionCode, versionName: '3.0', signers })
}

describe('uploads in the dashboard', { skip, timeout: 900_000 }, () => {
  let dashboard: OpenedDashboard
  let list: string

  before(async () => {
    dashboard = await openDashboard()
    list = `/applications/${dashboard.workspace.applicationId}/builds`
  })

  after(() => dashboard?.[Symbol.asyncDispose]())

  it('run three at a time, in a tray that scrolls and can be cleared', async () => {
    const page = await dashboard.openPage({ viewport: { width: 1280, height: 500 } })
    let atOnce = 0
    let highest = 0
    await page.route('**/v2/builds', async (route) => {
      atOnce++
      highest = Math.max(highest, atOnce)
      const response = await route.fetch()
      atOnce--
      await route.fulfill({ response })
    })
    await page.goto(list)
    await page.getByRole('list', { name: 'Builds' }).waitFor()
    const files = Array.from({ length: 15 }, (_, index) => ({
      name: `build-${index}.apk`,
      content: writeBuild(300 + index),
    }))
    await dropFiles(page, '[data-testid=drop-area]', files)
    const tray = page.getByRole('region', { name: 'Uploads' })
    await tray.getByText('Waiting for its turn').first().waitFor()
    await tray.getByText('15 uploads', { exact: true }).waitFor({ timeout: 60_000 })
    assert.equal(highest, 3)
    const box = await tray.boundingBox()
    assert.ok(box && box.y >= 0 && box.y + box.height <= 500, JSON.stringify(box))
    assert.equal(await tray.getByRole('link', { name: 'Open the build' }).count(), 15)
    await tray.getByRole('button', { name: 'Clear finished' }).click()
    await tray.getByRole('listitem').first().waitFor({ state: 'detached' })
    await page.context().close()
  })

  it('can be tried again after the connection failed', async () => {
    const page = await dashboard.openPage()
    let isOffline = true
    await page.route('**/v2/builds', (route) => (isOffline ? route.abort() : route.continue()))
    await page.goto(list)
    await page.getByRole('list', { name: 'Builds' }).waitFor()
    await dropFile(page, '[data-testid=drop-area]', { name: 'late.apk', content: writeBuild(400) })
    const tray = page.getByRole('region', { name: 'Uploads' })
    await tray.getByRole('alert').waitFor()
    isOffline = false
    await tray.getByRole('button', { name: 'Try late.apk again' }).click()
    await tray.getByText('3.0 (400) of Pilot is uploaded.').waitFor()
    await page.context().close()
  })

  it('say that the build went to another application, and link to it', async () => {
    const created = await dashboard.callApi('/v1/applications', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        name: 'Other',
        alias: 'other',
        platform: 'android',
        bundleIdentifier: 'com.example.other',
      }),
    })
    const { id } = await readAnswer<{ id: number }>(created)
    const page = await dashboard.openPage()
    await page.goto(list)
    await page.getByRole('list', { name: 'Builds' }).waitFor()
    await dropFile(page, '[data-testid=drop-area]', { name: 'other.apk', content: writeBuild(1, 'com.example.other') })
    const tray = page.getByRole('region', { name: 'Uploads' })
    await tray.getByText('went to another application').waitFor()
    await tray.getByRole('link', { name: 'other', exact: true }).click()
    await page.waitForURL(`**/applications/${id}/builds`)
    await page.context().close()
  })

  it('offer no second try of a file that is refused, but to create the application of its identifier', async () => {
    const page = await dashboard.openPage()
    await page.goto(list)
    await page.getByRole('list', { name: 'Builds' }).waitFor()
    const tray = page.getByRole('region', { name: 'Uploads' })
    await dropFile(page, '[data-testid=drop-area]', { name: 'broken.apk', content: Buffer.from('no app') })
    await tray.getByRole('alert').waitFor()
    assert.equal(await tray.getByRole('button', { name: 'Try broken.apk again' }).count(), 0)
    await tray.getByRole('button', { name: 'Dismiss broken.apk' }).click()
    await dropFile(page, '[data-testid=drop-area]', { name: 'fresh.apk', content: writeBuild(1, 'com.example.fresh') })
    await tray.getByRole('button', { name: 'Create the application of fresh.apk' }).click()
    await tray.getByText('3.0 (1)').waitFor()
    await tray.getByRole('link', { name: /its application/ }).click()
    await page
      .getByText('com.example.fresh')
      .or(page.getByRole('heading', { level: 1 }))
      .first()
      .waitFor()
    await page.context().close()
  })

  it('start when a file is dropped anywhere on the page', async () => {
    const page = await dashboard.openPage()
    await page.goto(list)
    await page.getByRole('list', { name: 'Builds' }).waitFor()
    await dropFile(page, 'aside', { name: 'aside.apk', content: writeBuild(500) })
    await page.getByRole('region', { name: 'Uploads' }).getByText('3.0 (500) of Pilot is uploaded.').waitFor()
    await page.context().close()
  })

  it('warn in the list, on the page and before distributing when no device can install the build', async () => {
    const profile = { expirationDate: new Date('2024-01-31T00:00:00Z') }
    const ipa = writeIpa({ bundleIdentifier: 'com.example.pilot', version: '7', profile })
    const response = await dashboard.callApi('/v2/builds', {
      method: 'POST',
      headers: { 'X-Service-Application-Alias': 'pilot-ios' },
      body: new Uint8Array(ipa),
    })
    assert.equal(response.status, 201)
    const page = await dashboard.openPage()
    await page.goto(`/applications/${dashboard.workspace.iosApplicationId}/builds`)
    const row = page.getByRole('listitem').filter({ hasText: '(7)' })
    const badge = row.getByText('Cannot be installed', { exact: true })
    await badge.waitFor()
    assert.equal(await page.getByText('Cannot be installed', { exact: true }).count(), 1)
    assert.match((await badge.locator('xpath=..').getAttribute('title')) ?? '', /2024/)
    await row.getByRole('link').first().click()
    const warning = page.getByRole('alert', { name: 'This build cannot be installed' })
    await warning.getByText('2024').waitFor()
    await page.getByRole('button', { name: 'Distribute' }).click()
    await page.getByRole('dialog').getByText('This build cannot be installed').waitFor()
    await page.context().close()
  })
})
