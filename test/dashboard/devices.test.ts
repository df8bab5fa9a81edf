import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import { writeIpa } from '@fairlead/binary/fixture'
import type { Build, Tester } from '@fairlead/contract'
import { userAgents } from '../../apps/server/src/testing/user-agents.ts'
import { readAnswer } from '../../scripts/read-json.ts'
import { answerDeviceQuestion, readDeviceQuestion } from '../processes/device-message.ts'
import { findBarriers, measureOverflow } from './accessibility.ts'
import { skip } from './chromium.ts'
import { type OpenedDashboard, openDashboard } from './opened-dashboard.ts'

const phone = { viewport: { width: 390, height: 844 } }
const pictures = process.env.FAIRLEAD_TEST_PICTURES
const listed = '00008101-000A1C2E3F4B5D6E'
const other = '00008110-001A2B3C4D5E6F70'

describe('devices from a phone to the dashboard', { skip, timeout: 900_000 }, () => {
  let opened: OpenedDashboard
  let build: Build
  before(async () => {
    opened = await openDashboard()
    const uploaded = await opened.callApi('/v2/builds', {
      method: 'POST',
      headers: { 'X-Service-Application-Alias': 'pilot-ios', 'Content-Type': 'application/octet-stream' },
      body: new Uint8Array(
        writeIpa({
          name: 'Pilot',
          bundleIdentifier: 'com.example.pilot',
          version: '7',
          profile: { type: 'ad-hoc', devices: [listed] },
        }),
      ),
    })
    assert.equal(uploaded.status, 201)
    build = await readAnswer<Build>(uploaded)
    await opened.callApi(`/v1/builds/${build.id}/distribute`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ distributionGroupIds: [opened.workspace.groupId] }),
    })
  })
  after(() => opened?.[Symbol.asyncDispose]())

  it('are added by their testers without an account or scripts, and compared with the profile of a build', async () => {
    const { chromium, fresh } = opened
    const testers = await readAnswer<Tester[]>(await opened.callApi('/v1/testers'))
    for (const [index, udid] of [listed, other].entries()) {
      const options = { ...phone, userAgent: userAgents.iphone, javaScriptEnabled: false, locale: 'en-GB' }
      const page = await chromium.openPage({ baseURL: fresh.baseUrl, ...options })
      await page.goto(new URL(testers[index]?.pageUrl ?? '').pathname)
      await page.getByText(/Developers and administrators of Harbor Labs will see/).waitFor()
      assert.equal(await measureOverflow(page), 0)
      const download = page.waitForEvent('download')
      await page.getByRole('link', { name: 'Add this iPhone or iPad' }).click()
      const question = readDeviceQuestion(await readFile(await (await download).path()))
      const next = await answerDeviceQuestion(question, { UDID: udid, PRODUCT: 'iPhone14,2', VERSION: '22A3354' })
      await page.goto(next)
      await page.getByText(udid).waitFor()
      assert.equal(await measureOverflow(page), 0)
      if (pictures !== undefined) await page.screenshot({ path: `${pictures}/device-${index}.png`, fullPage: true })
      await page.context().close()
    }

    const page = await opened.openPage(phone)
    await page.goto(`/builds/${build.id}`)
    const panel = page.getByRole('region', { name: 'Devices' })
    await panel.getByText('1 of 2 of its testers’ devices are in its profile.').waitFor()
    const rows = panel.getByRole('list', { name: 'Devices of this build' }).getByRole('listitem')
    const first = await rows.nth(0).innerText()
    assert.ok(first.includes(other) && /not in the profile/i.test(first), first)
    const second = await rows.nth(1).innerText()
    assert.ok(second.includes(listed) && /\nin the profile/i.test(second), second)
    assert.deepEqual(await findBarriers(page), [])
    assert.equal(await measureOverflow(page), 0)
    if (pictures !== undefined) await panel.screenshot({ path: `${pictures}/devices-panel.png` })
    await panel.getByRole('link', { name: 'All devices' }).click()

    await page.getByText('2 devices, 1 of them missing in the profile').waitFor()
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export the missing ones for Apple' }).click()
    const file = await saved
    assert.equal(file.suggestedFilename(), 'devices.txt')
    const name = `${testers[1]?.email ?? ''}, iPhone14,2`
    const head = 'Device ID\tDevice Name\tDevice Platform\n'
    assert.equal(await readFile(await file.path(), 'utf8'), `${head}${other}\t${name}\tios\n`)
    assert.deepEqual(await findBarriers(page), [])
    assert.equal(await measureOverflow(page), 0)
    if (pictures !== undefined) await page.screenshot({ path: `${pictures}/devices-page.png`, fullPage: true })

    await page.getByRole('button', { name: `Rename: ${name}` }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Lab iPhone')
    await page.getByRole('button', { name: 'Rename', exact: true }).click()
    await page.getByText('Lab iPhone').waitFor()
    await page.getByLabel('Testers of').selectOption({ label: 'all groups' })
    await page.getByRole('button', { name: 'Add a device' }).click()
    const dialog = page.getByRole('dialog')
    assert.equal(await dialog.getByRole('textbox', { name: 'Link' }).inputValue(), testers[0]?.pageUrl)
    assert.deepEqual(await findBarriers(page), [])
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('button', { name: 'App Store Connect key' }).click()
    await dialog.getByRole('textbox', { name: 'Issuer ID' }).fill('57246542-96fe-1a63-e053-0824d011072a')
    await dialog.getByRole('textbox', { name: 'Key ID' }).fill('2X9R4HXF34')
    await dialog.getByRole('textbox', { name: 'Private key' }).fill('no key')
    assert.deepEqual(await findBarriers(page), [])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText(/FAIRLEAD_SECRETS_KEY/).waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Delete: Lab iPhone' }).click()
    await dialog.getByRole('button', { name: 'Delete it' }).click()
    await page.getByText('1 device, 0 of them missing in the profile').waitFor()
    opened.chromium.checkComplaints()
    await page.context().close()
  })
})
