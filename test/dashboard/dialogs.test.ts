import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { openDatabase } from '../../apps/server/src/db/open.ts'
import { startMailServer } from '../../apps/server/src/testing/mail-server.ts'
import { startServerProcess } from '../processes/server-process.ts'
import { findBarriers } from './accessibility.ts'
import { insecureHost, skip } from './chromium.ts'
import { password } from './first-start.ts'
import { type OpenedDashboard, openDashboard } from './opened-dashboard.ts'
import { readAnswer } from '../../scripts/read-json.ts'

describe('menus, dialogs and links of the dashboard', { skip, timeout: 480_000 }, () => {
  let dashboard: OpenedDashboard

  before(async () => {
    dashboard = await openDashboard()
  })

  after(() => dashboard?.[Symbol.asyncDispose]())

  /** Lists the path of each dialog, and the name of the button that opens it. */
  function listDialogs(): [path: string, button: string][] {
    const { applicationId, buildId, groupId } = dashboard.workspace
    return [
      ['/applications', 'New application'],
      [`/builds/${buildId}`, 'Distribute'],
      [`/builds/${buildId}`, 'Delete'],
      [`/applications/${applicationId}/symbols`, 'Upload symbols'],
      [`/applications/${applicationId}/settings`, 'Delete the application'],
      ['/groups', 'New group'],
      [`/groups/${groupId}`, 'Add testers'],
      [`/groups/${groupId}`, 'Remove: grace@example.com'],
      ['/testers', 'Delete: grace@example.com'],
      ['/devices', 'App Store Connect key'],
      ['/tokens', 'New token'],
      ['/members', 'Invite'],
      ['/outbox', 'Read Pilot 1.0 (2) for Android to grace@example.com'],
      ['/account', 'Sign out everywhere'],
    ]
  }

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`have no axe violations, and return the focus when they close: ${colorScheme}`, async () => {
      const page = await dashboard.openPage({ colorScheme, reducedMotion: 'reduce' })
      const faults: string[] = []
      for (const [path, name] of listDialogs()) {
        await page.goto(path)
        const button = name.startsWith('Read ')
          ? page.getByRole('button', { name: /^Read / }).first()
          : page.getByRole('button', { name, exact: true })
        await button.focus()
        await page.keyboard.press('Enter')
        await page.getByRole('dialog').waitFor()
        await page.locator('.mantine-Loader-root').first().waitFor({ state: 'detached' })
        faults.push(...(await findBarriers(page)).map((barrier) => `${name}: ${barrier}`))
        await page.keyboard.press('Escape')
        await page.getByRole('dialog').waitFor({ state: 'detached' })
        await button.and(page.locator(':focus')).waitFor()
      }
      for (const name of [/^Account/, /^Workspace/]) {
        const button = page.getByRole('button', { name })
        await button.click()
        await page.getByRole('menu').waitFor()
        faults.push(...(await findBarriers(page)).map((barrier) => `${String(name)}: ${barrier}`))
        await page.keyboard.press('Escape')
        await page.getByRole('menu').waitFor({ state: 'detached' })
        await button.and(page.locator(':focus')).waitFor()
      }
      assert.deepEqual(faults, [])
      await page.context().close()
    })
  }

  it('close by Escape while their scripts are still loaded', async () => {
    const { applicationId } = dashboard.workspace
    const places = [
      { path: '/hooks', name: 'New hook', script: /\/assets\/HookDialog-/ },
      { path: `/applications/${applicationId}/alerts`, name: 'New rule', script: /\/assets\/AlertRuleDialog-/ },
      { path: '/groups', name: 'New group', script: /\/assets\/DialogFrame-/ },
    ]
    for (const { path, name, script } of places) {
      const page = await dashboard.openPage()
      const { promise: held, resolve: release } = Promise.withResolvers<void>()
      await page.route(script, async (route) => {
        await held
        await route.continue()
      })
      const loaded = page.waitForEvent('requestfinished', (request) => script.test(request.url()))
      await page.goto(path)
      const button = page.getByRole('button', { name, exact: true })
      await button.focus()
      await page.keyboard.press('Enter')
      await page.keyboard.press('Escape')
      release()
      const url = (await loaded).url()
      // The script is run before this resolves, and a dialog that waited for it would show in the next frames.
      await page.evaluate(
        `import(${JSON.stringify(url)}).then(() => new Promise((resolve) => setTimeout(resolve, 300)))`,
      )
      assert.equal(await page.getByRole('dialog').count(), 0, `${name} opened after Escape`)
      await button.and(page.locator(':focus')).waitFor()
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.context().close()
    }
  })

  it('close the navigation of a phone by Escape while its script is still loaded', async () => {
    const page = await dashboard.openPage({ viewport: { width: 390, height: 800 } })
    const script = /\/assets\/NavigationDrawer-/
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    await page.route(script, async (route) => {
      await held
      await route.continue()
    })
    const loaded = page.waitForEvent('requestfinished', (request) => script.test(request.url()))
    await page.goto('/groups')
    const button = page.getByRole('button', { name: 'Navigation', exact: true })
    await button.press('Enter')
    await button.and(page.locator('[aria-expanded="true"]')).waitFor()
    await page.keyboard.press('Escape')
    await button.and(page.locator('[aria-expanded="false"]')).waitFor()
    release()
    const url = (await loaded).url()
    await page.evaluate(`import(${JSON.stringify(url)}).then(() => new Promise((resolve) => setTimeout(resolve, 300)))`)
    assert.equal(await page.getByRole('dialog').count(), 0, 'it opened after Escape')
    await button.press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.context().close()
  })

  it('change the role of a member only by a press that chooses it', async () => {
    const page = await dashboard.openPage()
    await page.goto('/members')
    const role = page.getByRole('button', { name: 'Role of Ada Lovelace: Administrator' })
    await role.focus()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page
      .getByRole('menuitemradio', { name: 'Administrator', checked: true })
      .and(page.locator(':focus'))
      .waitFor()
    await page.keyboard.press('ArrowUp')
    await page.getByRole('menuitemradio', { name: 'Developer' }).and(page.locator(':focus')).waitFor()
    assert.deepEqual(await findBarriers(page), [])
    await page.keyboard.press('Escape')
    await role.and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitemradio', { name: 'Viewer' }).click()
    await page
      .getByRole('alert')
      .getByText(/administrator/)
      .waitFor()
    await role.and(page.locator(':focus')).waitFor()
    await page.context().close()
  })

  it('return the focus when another dialog came in the place of the first', async () => {
    const page = await dashboard.openPage()
    const dialog = page.getByRole('dialog')
    await page.goto('/tokens')
    await page.getByRole('button', { name: 'New token' }).click()
    await dialog.getByLabel('Name').fill('Wall')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('button', { name: 'Done' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'New token' }).and(page.locator(':focus')).waitFor()
    await page.goto('/members')
    await page.getByRole('button', { name: 'Invite' }).click()
    await dialog.getByLabel('E-mail address').fill('nils@example.com')
    await dialog.getByRole('button', { name: 'Invite' }).click()
    await page.getByRole('button', { name: 'Done' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Invite' }).and(page.locator(':focus')).waitFor()
    await page.context().close()
  })

  it('move the focus to the content when the element that opened them was removed', async () => {
    const page = await dashboard.openPage()
    await dashboard.callApi('/v1/distributionGroups', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'Short-lived' }),
    })
    await page.goto('/groups')
    await page.getByRole('link', { name: 'Short-lived' }).click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('button', { name: 'Delete it' }).click()
    await page.getByRole('heading', { name: 'Groups', level: 1 }).waitFor()
    await page.locator('#main:focus').waitFor()
    await page.context().close()
  })

  it('still say how many testers were added when the list is refreshed', async () => {
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
