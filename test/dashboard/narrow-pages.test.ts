import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { measureOverflow } from './accessibility.ts'
import { skip } from './chromium.ts'
import { openPage } from './filled-workspace.ts'
import { type OpenedDashboard, openDashboard } from './opened-dashboard.ts'

describe('a phone on which everything is shown at 200 %', { skip, timeout: 900_000 }, () => {
  let opened: OpenedDashboard
  before(async () => {
    opened = await openDashboard()
  })
  after(() => opened?.[Symbol.asyncDispose]())

  it('shows what people do on the way without scrolling sideways, and every word of a button', async () => {
    const { workspace } = opened
    const application = `/applications/${workspace.applicationId}`
    const page = await opened.openPage({ viewport: { width: 195, height: 422 }, deviceScaleFactor: 2 })
    const faults: string[] = []
    for (const path of [
      `/builds/${workspace.buildId}`,
      `${application}/feedback`,
      `${application}/alerts`,
      '/hooks',
      `/hooks/${workspace.hookId}`,
      '/testers',
      '/devices',
      '/account',
      '/workspace',
    ]) {
      await openPage(page, path)
      const overflow = await measureOverflow(page)
      if (overflow > 0) faults.push(`${path} is ${overflow} px too wide`)
      for (const text of await page.evaluate<string[]>(listCutLabels)) faults.push(`${path} cuts “${text}”`)
    }
    assert.deepEqual(faults, [])
    opened.chromium.checkComplaints()
    await page.context().close()
  })
})

/** Runs in the page: returns the labels of buttons that are wider than what is shown of them. */
const listCutLabels = `[...document.querySelectorAll('.mantine-Button-label')]
  .filter((label) => label.scrollWidth > label.clientWidth + 1)
  .map((label) => label.textContent)`
