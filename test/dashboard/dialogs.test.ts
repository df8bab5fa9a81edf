import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { findBarriers } from './accessibility.ts'
import { skip } from './chromium.ts'
import { type OpenedDashboard, openDashboard } from './opened-dashboard.ts'

describe('menus and dialogs of the dashboard', { skip, timeout: 900_000 }, () => {
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

  it('say what is wrong with a field so that it can be read in both schemes', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await dashboard.openPage({ colorScheme, reducedMotion: 'reduce' })
      await page.goto('/members')
      await page.getByRole('button', { name: 'Invite' }).click()
      const dialog = page.getByRole('dialog')
      const address = dialog.getByLabel('E-mail address')
      await address.fill('a@b')
      await dialog.getByRole('button', { name: 'Invite' }).click()
      await address.and(page.locator('[aria-invalid=true]')).waitFor()
      assert.deepEqual(await findBarriers(page), [], colorScheme)
      await page.context().close()
    }
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
})
