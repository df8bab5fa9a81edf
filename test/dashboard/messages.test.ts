import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { openDatabase } from '../../apps/server/src/db/open.ts'
import { startMailServer } from '../../apps/server/src/testing/mail-server.ts'
import { readAnswer } from '../../scripts/read-json.ts'
import { startServerProcess } from '../processes/server-process.ts'
import { insecureHost, skip } from './chromium.ts'
import { password } from './first-start.ts'
import { type OpenedDashboard, openDashboard } from './opened-dashboard.ts'

describe('messages, copies, links and mails of the dashboard', { skip, timeout: 900_000 }, () => {
  let dashboard: OpenedDashboard

  before(async () => {
    dashboard = await openDashboard()
  })

  after(() => dashboard?.[Symbol.asyncDispose]())

  it('say how many testers were added, also after the list is refreshed', async () => {
    const page = await dashboard.openPage()
    await page.goto(`/groups/${dashboard.workspace.groupId}`)
    await page.getByRole('button', { name: 'Add testers' }).click()
    const addresses = Array.from({ length: 47 }, (_, index) => `tester-${index}@example.com`)
    await page.getByLabel('Mail addresses').fill(addresses.join('\n'))
    await page.getByText('47 testers will be added.').waitFor()
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('47 testers added to Beta').waitFor()
    await page.context().close()
  })

  it('can copy over plain HTTP, where pages have no clipboard API', async () => {
    const { port } = new URL(dashboard.fresh.baseUrl)
    const page = await dashboard.chromium.openPage({ baseURL: `http://${insecureHost}:${port}` })
    await page.goto('/sign-in')
    assert.equal(await page.evaluate('isSecureContext'), false)
    await page.getByRole('textbox', { name: 'E-mail address' }).fill('ada@example.com')
    await page.getByRole('textbox', { name: 'Password' }).fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('link', { name: 'Pilot' }).first().click()
    await page.getByRole('button', { name: 'Copy the alias' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    assert.match(await paste(page), /^(pilot|pilot-ios|empty)$/)

    await page.goto('/tokens')
    await page.getByRole('button', { name: 'New token' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('LAN')
    await page.getByRole('button', { name: 'Create' }).click()
    const token = await page.getByRole('textbox', { name: 'API token' }).inputValue()
    await page.getByRole('button', { name: 'Copy API token' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.goto('/applications')
    assert.equal(await paste(page), token)
    await page.context().close()
  })

  it('open links to another workspace of the account', async () => {
    const page = await dashboard.openPage()
    await page.goto('/applications')
    await page.getByRole('button', { name: /^Workspace/ }).click()
    await page.getByRole('menuitem', { name: 'New workspace' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Second')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: 'No applications yet' }).waitFor()
    const { applicationId, buildId, groupId } = dashboard.workspace
    for (const path of [`/builds/${buildId}`, `/applications/${applicationId}`, `/groups/${groupId}`]) {
      await page.evaluate(`localStorage.setItem('fairlead-workspace', String(${String(await findSecond(page))}))`)
      await page.goto(path)
      await page.getByText('You are in the workspace Harbor Labs now').waitFor()
      await page.getByRole('button', { name: /^Workspace Harbor Labs/ }).waitFor()
      assert.equal(new URL(page.url()).pathname, path)
    }
    await page.goto('/builds/999999')
    await page.getByRole('heading', { name: 'Not found' }).waitFor()
    await page.context().close()
  })

  // The last one, because it ends the server.
  it('let held mails be discarded, and sent once there is a mail server', async () => {
    const page = await dashboard.openPage()
    await page.goto('/outbox')
    await page.getByText('No mails are sent', { exact: true }).waitFor()
    assert.equal(await page.getByRole('button', { name: /^Send / }).count(), 0)
    const { heldCount } = await readAnswer<{ heldCount: number }>(await dashboard.callApi('/v1/mailDelivery'))
    await page.getByRole('button', { name: `Discard ${heldCount} mails` }).click()
    await page.getByText(`${heldCount} mails will be deleted and never sent.`).waitFor()
    await page.getByRole('button', { name: 'Discard them' }).click()
    await page.getByRole('heading', { name: 'No mails yet' }).waitFor()
    await page.context().close()

    const { server, dataDir } = dashboard.fresh
    await dashboard.callApi('/v1/invitations', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: 'late@example.com', role: 'viewer' }),
    })
    await server.end('SIGTERM')
    const { db } = await openDatabase({ databaseUrl: null, dataDir })
    await db
      .updateTable('mails')
      .set({ created_at: Date.now() - 61 * 60_000 })
      .execute()
    await db.destroy()
    await using mailServer = await startMailServer()
    await using restarted = await startServerProcess({ dataDir, env: { FAIRLEAD_SMTP_URL: mailServer.url } })
    const later = await dashboard.chromium.openPage({ baseURL: restarted.url })
    await later.context().addCookies([{ ...dashboard.workspace.cookie, url: restarted.url }])
    await later.goto('/outbox')
    await later.getByText('1 mail held', { exact: true }).waitFor()
    assert.deepEqual(mailServer.mails, [])
    await later.getByRole('button', { name: 'Send 1 mail' }).click()
    await mailServer.waitForMail('late@example.com')
    await later.getByText('1 mail held', { exact: true }).waitFor({ state: 'detached' })
    await later.context().close()
  })

  /** Pastes the clipboard into a field and returns the text. */
  async function paste(page: Page): Promise<string> {
    await page.evaluate(() => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- runs in a page; the types of Node lack the DOM
      const { document } = globalThis as unknown as {
        document: { body: { insertAdjacentHTML(...at: string[]): void } }
      }
      document.body.insertAdjacentHTML('beforeend', '<textarea aria-label="Pasted"></textarea>')
    })
    await page.getByLabel('Pasted').focus()
    await page.keyboard.press('Control+V')
    return page.getByLabel('Pasted').inputValue()
  }

  async function findSecond(page: Page): Promise<number> {
    const session = await page.evaluate<{ workspaces: { id: number; name: string }[] }>(
      "fetch('/v1/session').then((response) => response.json())",
    )
    return session.workspaces.find(({ name }) => name === 'Second')?.id ?? 0
  }
})
