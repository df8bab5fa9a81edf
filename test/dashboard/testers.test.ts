import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { BuildTester, Tester } from '@fairlead/contract'
import { findBarriers, measureOverflow } from './accessibility.ts'
import { skip } from './chromium.ts'
import { type OpenedDashboard, openDashboard } from './opened-dashboard.ts'
import { readAnswer } from '../../scripts/read-json.ts'

const phone = { viewport: { width: 390, height: 844 } }
const pictures = process.env.FAIRLEAD_TEST_PICTURES

describe('testers in the dashboard', { skip, timeout: 900_000 }, () => {
  let opened: OpenedDashboard
  before(async () => {
    opened = await openDashboard()
  })
  after(() => opened?.[Symbol.asyncDispose]())

  const listTesters = async () => readAnswer<Tester[]>(await opened.callApi('/v1/testers'))

  it('are shown with what they did with a build, and the chosen ones are reminded', async () => {
    const { workspace, fresh } = opened
    const [first, second] = await listTesters()
    assert.ok(first && second)
    const off = await fetch(`${fresh.baseUrl}${new URL(second.pageUrl ?? '').pathname}/mails`, {
      method: 'POST',
      body: new URLSearchParams({ mails: 'off' }),
    })
    assert.ok(off.ok)
    const page = await opened.openPage(phone)
    await page.goto(`/builds/${workspace.buildId}`)
    const panel = page.getByRole('region', { name: 'Testers' })
    await panel.getByText(/of 2 testers installed it/).waitFor()
    assert.equal(await panel.getByText('No mails').count(), 1)
    assert.deepEqual(await findBarriers(page), [])
    assert.equal(await measureOverflow(page), 0)
    if (pictures !== undefined) await panel.screenshot({ path: `${pictures}/testers-panel.png` })

    await panel.getByRole('button', { name: 'Remind' }).click()
    const dialog = page.getByRole('dialog')
    for (const state of ['Not told', 'Told', 'Opened']) await dialog.getByLabel(new RegExp(`^${state} \\(`)).check()
    await dialog.getByText('1 tester will get a mail.').waitFor()
    await dialog.getByText('1 other left out').waitFor()
    assert.deepEqual(await findBarriers(page), [])
    if (pictures !== undefined) await page.screenshot({ path: `${pictures}/remind-dialog.png` })
    await dialog.getByRole('button', { name: 'Remind' }).click()
    await page.getByText('Reminded 1 tester').first().waitFor()
    const answer = await opened.callApi(`/v1/builds/${workspace.buildId}/testers`)
    const statuses = await readAnswer<BuildTester[]>(answer)
    assert.deepEqual(
      statuses.filter(({ remindedDate }) => remindedDate !== null).map(({ email }) => email),
      [first.email],
    )

    await page.getByRole('button', { name: 'Distribute' }).click()
    await dialog.getByRole('checkbox', { name: 'Beta' }).check()
    await dialog.getByText('1 tester has unsubscribed and will get no mail.').waitFor()
    assert.deepEqual(await findBarriers(page), [])
    await page.context().close()
  })

  it('are listed with dates on a phone, and all of them on demand', async () => {
    const before = (await listTesters()).length
    for (let added = 0; added < 210; added += 70) {
      const emails = Array.from({ length: 70 }, (_, place) => `crew.${added + place}@example.com`)
      const answer = await opened.callApi(`/v1/distributionGroups/${opened.workspace.groupId}/testers`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ emails }),
      })
      assert.ok(answer.ok, await answer.text())
    }
    const given = await opened.callApi(`/v1/builds/${opened.workspace.buildId}/distribute`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ distributionGroupIds: [opened.workspace.groupId], notifyTesters: false }),
    })
    assert.ok(given.ok, await given.text())
    const page = await opened.openPage(phone)
    await page.goto(`/builds/${opened.workspace.buildId}`)
    const panel = page.getByRole('region', { name: 'Testers' })
    const ofBuild = panel.getByRole('list').getByRole('listitem')
    await ofBuild.nth(9).waitFor()
    assert.equal(await ofBuild.count(), 10, 'the panels below are near')
    await panel.getByRole('button', { name: 'Show more' }).click()
    await ofBuild.nth(209).waitFor()
    await panel.getByRole('button', { name: 'Show more' }).click()
    await ofBuild.nth(211).waitFor()
    assert.equal(await panel.getByRole('button', { name: 'Show more' }).count(), 0)

    await page.goto('/testers')
    await page.getByText(`${before + 210} testers`, { exact: true }).waitFor()
    const rows = page.getByRole('list', { name: 'Testers' }).getByRole('listitem')
    await rows.nth(19).waitFor()
    assert.equal(await rows.count(), 20)
    assert.ok(await rows.first().getByRole('time').isVisible())
    assert.ok((await measureOverflow(page)) <= 0)
    await page.getByRole('button', { name: 'Show more' }).click()
    await rows.nth(before + 209).waitFor()
    assert.equal(await rows.count(), before + 210)
    assert.equal(await page.getByRole('button', { name: 'Show more' }).count(), 0)

    await page.goto(`/groups/${opened.workspace.groupId}`)
    await rows.nth(19).waitFor()
    assert.equal(await rows.count(), 20)
    await page.getByRole('button', { name: 'Show more' }).click()
    await rows.nth(210).waitFor()
    await page.reload()
    await page.getByLabel('Search testers', { exact: true }).fill('crew.17')
    // The address of the page has the search, so that it can be sent on.
    await page.waitForURL(/q=crew\.17$/)
    await page.getByText('11 testers', { exact: true }).waitFor()
    assert.equal(await rows.count(), 11)
    assert.ok((await measureOverflow(page)) <= 0)
    await page.context().close()
  })
})
