import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createSigner, writeApk } from '@fairlead/binary/fixture'
import type { Page } from 'playwright-core'
import { findBarriers } from './accessibility.ts'
import { skip } from './chromium.ts'
import { openDashboardOnEngine } from './on-engine.ts'
import type { OpenedDashboard } from './opened-dashboard.ts'

describe('the list of builds', { skip, timeout: 900_000 }, () => {
  let opened: OpenedDashboard
  let page: Page
  let path: string
  const signers = [createSigner()]

  const upload = async (versionCode: number, bytes: number) => {
    const files = [{ name: 'assets/filler', data: Buffer.alloc(bytes) }]
    const answer = await opened.callApi('/v2/builds', {
      method: 'POST',
      headers: { 'X-Service-Application-Alias': 'pilot' },
      body: new Uint8Array(writeApk({ versionCode, versionName: '2.0', signers, files })),
    })
    assert.equal(answer.status, 201, await answer.text())
  }
  const rowOf = (version: string) =>
    page.getByRole('list', { name: 'Builds' }).getByRole('listitem').filter({ hasText: version })

  before(async () => {
    opened = await openDashboardOnEngine()
    path = `/applications/${opened.workspace.applicationId}/builds`
    await upload(3, 90_000)
    await upload(4, 40_000)
    const report = '<testsuite name="unit"><testcase name="adds" classname="A"/></testsuite>'
    const sent = await opened.callApi('/v1/testReports', {
      method: 'POST',
      headers: { 'X-Service-Application-Alias': 'pilot', 'X-Service-Build-Id': String(opened.workspace.buildId) },
      body: report,
    })
    const { run }: { run: { id: number } } = JSON.parse(await sent.text())
    const done = await opened.callApi(`/v1/testRuns/${run.id}/complete`, { method: 'POST', headers: {}, body: '' })
    assert.equal(done.status, 200, await done.text())
    page = await opened.openPage({ permissions: ['clipboard-read', 'clipboard-write'] })
    await page.goto(path)
  })
  after(async () => {
    opened?.chromium.checkComplaints()
    await opened?.[Symbol.asyncDispose]()
  })

  it('shows in each row its number, its first note, its verdict, its signature and how its size changed', async () => {
    await rowOf('1.0 (2)').getByText('#2', { exact: true }).waitFor()
    await rowOf('1.0 (2)').getByText('New', { exact: true }).waitFor()
    await rowOf('1.0 (2)').getByText('Passed').waitFor()
    await rowOf('2.0 (3)').getByText(/\+\d/).waitFor()
    await rowOf('2.0 (4)').getByText(/−\d/).waitFor()
    await rowOf('2.0 (4)').getByText('Signed by').waitFor()
    assert.deepEqual(await findBarriers(page), [])
  })

  it('copies the install link of a row', async () => {
    await rowOf('2.0 (4)').getByRole('button', { name: 'Copy the install link of 2.0 (4)' }).click()
    assert.match(await page.evaluate<string>('navigator.clipboard.readText()'), /\/install\/[\w-]{22}$/)
  })

  it('is sorted by what the address says', async () => {
    await page.getByLabel('Sort').selectOption('largest')
    await page.waitForURL(/sort=largest/)
    const titles = page.getByRole('list', { name: 'Builds' }).locator('[data-row]')
    await titles.first().filter({ hasText: '2.0 (3)' }).waitFor()
    await page.reload()
    await titles.first().filter({ hasText: '2.0 (3)' }).waitFor()
    assert.equal(await page.getByLabel('Sort').inputValue(), 'largest')
    await page.getByLabel('Sort').selectOption('newest')
    await titles.first().filter({ hasText: '2.0 (4)' }).waitFor()
  })

  it('takes notes and groups of a build in one dialog', async () => {
    await rowOf('2.0 (4)').getByRole('button', { name: 'Distribute 2.0 (4)' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Release notes').fill('- **Maps** keep their place\n- and more')
    await dialog.getByRole('checkbox', { name: 'Beta' }).check()
    assert.deepEqual(await findBarriers(page), [])
    await dialog.getByRole('button', { name: 'Distribute' }).click()
    await dialog.waitFor({ state: 'detached' })
    await rowOf('2.0 (4)').getByText('Maps keep their place', { exact: true }).waitFor()
    await rowOf('2.0 (4)').getByText('Beta', { exact: true }).waitFor()
  })

  it('distributes and deletes the selected builds at once', async () => {
    await page.getByRole('checkbox', { name: 'Select 2.0 (3), #3' }).click()
    await page.getByRole('checkbox', { name: 'Select 1.0 (1), #1' }).click({ modifiers: ['Shift'] })
    const bar = page.getByRole('region', { name: 'Selected builds' })
    await bar.getByText('3 selected').waitFor()
    assert.deepEqual(await findBarriers(page), [])
    await bar.getByRole('button', { name: 'Distribute' }).click()
    await page.getByRole('dialog').getByRole('checkbox', { name: 'Beta' }).check()
    await page.getByRole('dialog').getByRole('button', { name: 'Distribute' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await rowOf('1.0 (1)').getByText('Beta', { exact: true }).waitFor()
    await bar.waitFor({ state: 'detached' })

    await page.getByRole('checkbox', { name: 'Select 2.0 (3), #3' }).click()
    await page.getByRole('checkbox', { name: 'Select 2.0 (4), #4' }).click()
    await bar.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'Delete 2 builds' }).waitFor()
    assert.deepEqual(await findBarriers(page), [])
    await page.getByRole('button', { name: 'Delete them' }).click()
    await page.getByText('2 builds', { exact: true }).waitFor()
    assert.equal(await page.getByText('2.0 (3)').count(), 0)
  })
})
