import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { generateCode } from '../../apps/server/src/testing/authenticator.ts'
import { findBarriers } from './accessibility.ts'
import { type Chromium, skip, startChromium } from './chromium.ts'
import { type FilledWorkspace, fillWorkspace, openPage } from './filled-workspace.ts'
import { type FreshServer, password, startFreshServer } from './first-start.ts'
import { readJson } from '../../scripts/read-json.ts'

describe('accounts and links in the dashboard', { skip, timeout: 900_000 }, () => {
  let fresh: FreshServer
  let chromium: Chromium
  let workspace: FilledWorkspace
  let page: Page

  before(async () => {
    fresh = await startFreshServer()
    workspace = await fillWorkspace(fresh)
    chromium = await startChromium()
    page = await chromium.openPage({ baseURL: fresh.baseUrl })
    await page.context().addCookies([workspace.cookie])
  })
  after(async () => {
    await chromium?.[Symbol.asyncDispose]()
    await fresh?.[Symbol.asyncDispose]()
  })

  it('two-factor sign-in is set up with a QR code and asked for at the next sign-in', async () => {
    await openPage(page, '/account')
    await page.getByRole('button', { name: 'Set up two-factor sign-in' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Password' }).fill(password)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    const secret = await dialog.getByRole('textbox', { name: 'Or type this secret' }).inputValue()
    await dialog.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
    assert.deepEqual(await findBarriers(page), [])
    await dialog.getByRole('textbox', { name: 'Code' }).fill(generateCode(secret))
    await dialog.getByRole('button', { name: 'Turn it on' }).click()
    const codes = await page.getByRole('region', { name: 'Recovery codes' }).innerText()
    assert.equal(codes.trim().split('\n').length, 10)
    await page.getByRole('button', { name: 'I have kept them' }).click()
    await page.getByText('10 recovery codes left').waitFor()

    const phone = await chromium.openPage({ baseURL: fresh.baseUrl })
    await phone.goto('/sign-in')
    await phone.getByRole('textbox', { name: 'E-mail address' }).fill('ada@example.com')
    await phone.getByRole('textbox', { name: 'Password' }).fill(password)
    await phone.getByRole('button', { name: 'Sign in' }).click()
    await phone.getByRole('textbox', { name: 'Code' }).fill(codes.trim().split('\n')[0] ?? '')
    assert.deepEqual(await findBarriers(phone), [])
    await phone.getByRole('button', { name: 'Sign in' }).click()
    await phone.getByRole('heading', { name: 'Applications', level: 1 }).waitFor()

    await openPage(page, '/account')
    const other = page
      .getByRole('list', { name: 'Sessions' })
      .getByRole('listitem')
      .filter({ hasNotText: 'This browser' })
    await other.getByRole('button', { name: /^End the session/ }).click()
    await other.waitFor({ state: 'detached' })
    await phone.goto('/applications')
    await phone.getByRole('heading', { name: 'Sign in' }).waitFor()
    await phone.context().close()
  })

  it('an install link is extended, protected and revoked', async () => {
    await openPage(page, `/builds/${workspace.buildId}`)
    const change = async (edit: () => Promise<void>) => {
      await page.getByRole('button', { name: 'Change the link' }).click()
      await page.getByRole('dialog').getByLabel('Works until the end of').waitFor()
      await edit()
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    const installUrl = await page.getByRole('textbox', { name: 'install link' }).inputValue()
    const year = new Date().getUTCFullYear() + 2
    await change(async () => {
      await page.getByLabel('Works until the end of').fill(`${year}-05-31`)
      await page.getByRole('switch', { name: 'Ask for a password' }).check()
      await page.getByLabel('Password of the link').fill('open sesame')
      assert.deepEqual(await findBarriers(page), [])
    })
    await page.getByText(`until 31 May ${year}`).waitFor()

    const phone = await chromium.openPage({ baseURL: fresh.baseUrl })
    await phone.goto(installUrl)
    await phone.getByLabel('Password').fill('open barley')
    await phone.getByRole('button', { name: 'Continue' }).click()
    await phone.getByText('That password is wrong').waitFor()
    assert.deepEqual(await findBarriers(phone), [])
    await phone.getByLabel('Password').fill('open sesame')
    await phone.getByRole('button', { name: 'Continue' }).click()
    await phone.getByRole('heading', { name: 'Pilot' }).waitFor()

    await change(async () => {
      await page.getByRole('switch', { name: 'Revoke the link' }).check()
    })
    await page.getByText('Revoked', { exact: true }).waitFor()
    await phone.goto(installUrl)
    await phone.getByRole('heading', { name: 'This link was withdrawn' }).waitFor()
    await phone.context().close()
  })

  it('the audit log shows what was done, and is saved as JSON lines', async () => {
    await openPage(page, '/audit')
    await page.getByText('installLink.update').first().waitFor()
    // Midnight may have passed since.
    const day = page.getByRole('heading', { level: 2, name: /^(?:Today|Yesterday)$/ })
    const newest = page.getByRole('list', { name: `Audit log: ${await day.first().innerText()}` })
    assert.match(await newest.locator('time').first().innerText(), /^\d\d:\d\d$/)
    const readColor = (selector: string) =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('[aria-label^="Audit log"] ${selector}')).color`)
    assert.notEqual(await readColor('a'), await readColor('bdi'), 'a link is seen to be one')
    assert.deepEqual(await findBarriers(page), [])
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export as JSON lines' }).click()
    const file = await readFile(await (await download).path(), 'utf8')
    const lines = file.trimEnd().split('\n')
    assert.ok(lines.length > 5)
    assert.equal(readJson<{ action: string }>(lines[0] ?? '').action, 'installLink.update')
  })

  it('the administrator of the server sees its accounts and workspaces', async () => {
    await openPage(page, '/server')
    await page.getByRole('list', { name: 'Workspaces' }).getByText('Harbor Labs').waitFor()
    await page.getByRole('list', { name: 'Accounts' }).getByText('Server administrator').waitFor()
    assert.deepEqual(await findBarriers(page), [])
    await openPage(page, '/tokens')
    await page
      .getByText(/by Ada Lovelace/)
      .first()
      .waitFor()
  })

  it('cause no error in the browser', () => chromium.checkComplaints())
})
