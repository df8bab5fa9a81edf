import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openDatabase } from '../../apps/server/src/db/open.ts'
import { findBarriers, measureOverflow } from './accessibility.ts'
import { skip } from './chromium.ts'
import { type OpenedDashboard, openDashboard } from './opened-dashboard.ts'

const day = 24 * 60 * 60 * 1000

describe('the page of retention', { skip, timeout: 900_000 }, () => {
  let opened: OpenedDashboard
  before(async () => {
    opened = await openDashboard()
    const { db } = await openDatabase({ databaseUrl: null, dataDir: opened.fresh.dataDir })
    await db
      .updateTable('builds')
      .set({ uploaded_at: Date.now() - 40 * day })
      .execute()
    await db.destroy()
  })
  after(() => opened?.[Symbol.asyncDispose]())

  it('shows the dry run while rules are edited, runs them, undoes the run and keeps pinned builds', async () => {
    const { workspace } = opened
    const page = await opened.openPage({ viewport: { width: 390, height: 844 } })
    await page.goto(`/applications/${workspace.applicationId}/retention`)
    await page.getByRole('button', { name: 'Add a rule' }).click()
    const rule = page.getByRole('group', { name: 'Rule 1' })
    await rule.getByLabel('Beyond the newest').fill('')
    await page.getByText('These rules would take no build now.').waitFor()
    await rule.getByLabel('Older than days').fill('30')
    await page.getByText(/^These rules would take 1 build of /).waitFor()
    await page.getByText(/^[01] builds? of them, .*, would have gone in the last 30 days\.$/).waitFor()
    await page.getByText('Kept all the same: 1 newest of their branch.').waitFor()
    await rule.getByLabel('Branches').fill('no-such/* ')
    await page.getByText('These rules would take no build now.').waitFor()
    await rule.getByLabel('Branches').fill('main feature/*')
    await page.getByText(/^These rules would take 1 build of /).waitFor()
    await page.getByRole('switch', { name: 'Remove builds by these rules once a day' }).check()
    assert.deepEqual(await findBarriers(page), [])
    assert.equal(await measureOverflow(page), 0)
    await page.getByRole('button', { name: 'Save the rules' }).click()
    await page.getByText(/^Next run: /).waitFor()
    await page.getByRole('button', { name: 'Run the saved rules now' }).click()
    await page.getByRole('button', { name: 'Run them' }).click()
    const trash = page.getByRole('list', { name: 'Trash' })
    await page.getByRole('button', { name: /^Undo run / }).waitFor()
    await page.reload()
    await trash.getByRole('listitem').first().waitFor()
    assert.equal(await trash.getByRole('listitem').count(), 1)
    assert.deepEqual(await findBarriers(page), [])
    await page.getByRole('button', { name: /^Undo run / }).click()
    await page.getByText('The trash is empty.').waitFor()
    await page.getByRole('list', { name: 'Builds that would go' }).getByRole('link').click()
    await page.getByRole('button', { name: 'Pin' }).click()
    await page.getByText('Pinned').waitFor()
    await page.goto(`/applications/${workspace.applicationId}/retention`)
    await page.getByText('Kept all the same: 1 pinned, 1 newest of their branch.').waitFor()
    await page.context().close()
  })
})
