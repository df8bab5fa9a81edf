import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { findBarriers, measureOverflow } from './accessibility.ts'
import { skip } from './chromium.ts'
import { type OpenedDashboard, openDashboard } from './opened-dashboard.ts'

describe('the page of alerts', { skip, timeout: 900_000 }, () => {
  let opened: OpenedDashboard
  before(async () => {
    opened = await openDashboard()
  })
  after(() => opened?.[Symbol.asyncDispose]())

  it('lists the rules of the start, makes, changes, turns off and deletes one, on a phone', async () => {
    const { workspace } = opened
    const page = await opened.openPage({ viewport: { width: 390, height: 844 } })
    await page.goto(`/applications/${workspace.applicationId}/alerts`)
    await page.getByText('20 crashes or more in an hour').waitFor()
    assert.deepEqual(await findBarriers(page), [])
    assert.equal(await measureOverflow(page), 0)
    await page.getByRole('button', { name: 'New rule' }).click()
    await page.getByLabel('Name').fill('Storm')
    await page.getByLabel('Within (minutes)').fill('3')
    await page.getByRole('button', { name: 'Create' }).click()
    await page
      .getByText(/Too small|greater than or equal to 5|>=5/i)
      .first()
      .waitFor()
    await page.getByLabel('Within (minutes)').fill('30')
    await page.getByRole('checkbox', { name: 'Developer' }).check()
    await page.getByRole('switch', { name: 'No mails at night' }).check()
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByText('50 crashes or more in 30 minutes').waitFor()
    await page.getByRole('button', { name: 'Turn off Storm' }).click()
    await page.getByRole('button', { name: 'Turn on Storm' }).waitFor()
    await page.getByRole('button', { name: 'Change Storm' }).click()
    await page.getByLabel('Name').fill('Gale')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Delete Gale' }).click()
    await page.getByRole('button', { name: 'Delete it' }).click()
    await page.getByRole('button', { name: 'Delete Gale' }).waitFor({ state: 'detached' })
  })
})
