import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { findBarriers } from './accessibility.ts'
import { skip } from './chromium.ts'
import { password } from './first-start.ts'
import { type OpenedDashboard, openDashboard } from './opened-dashboard.ts'

describe('release notes in the dashboard', { skip, timeout: 900_000 }, () => {
  let dashboard: OpenedDashboard

  before(async () => {
    dashboard = await openDashboard()
  })

  after(() => dashboard?.[Symbol.asyncDispose]())

  async function openEditor(page: Page): Promise<void> {
    await page.goto(`/builds/${dashboard.workspace.buildId}`)
    await page.getByRole('button', { name: 'Edit the release notes' }).click()
    await page.getByLabel('Release notes in Markdown').waitFor()
  }

  it('are previewed with their generics, line breaks and task lists, without axe violations', async () => {
    const page = await dashboard.openPage()
    await openEditor(page)
    const notes = 'Returns List<String>\nnow\n\n- [x] charts\n- [ ] maps\n\n```\nlet a = 1\n```'
    await page.getByLabel('Release notes in Markdown').fill(notes)
    await page.getByText('Preview', { exact: true }).click()
    const panel = page.getByRole('region', { name: 'Release notes' })
    await panel.getByText('Returns List<String>').waitFor()
    assert.equal(await panel.locator('p br').count(), 1)
    await panel.getByRole('img', { name: 'Done' }).waitFor()
    await panel.getByRole('img', { name: 'Open' }).waitFor()
    assert.deepEqual(await findBarriers(page), [])
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.context().close()
  })

  it('are kept when the user leaves them unsaved, after a question', async () => {
    const page = await dashboard.openPage()
    await openEditor(page)
    await page.getByLabel('Release notes in Markdown').fill('half a thou')
    await page.getByRole('link', { name: 'Groups' }).click()
    const question = page.getByRole('dialog', { name: 'The release notes are not saved' })
    await question.getByRole('button', { name: 'Stay' }).click()
    await question.waitFor({ state: 'detached' })
    assert.equal(await page.getByLabel('Release notes in Markdown').inputValue(), 'half a thou')
    await page.getByRole('link', { name: 'Groups' }).click()
    await question.getByRole('button', { name: 'Leave' }).click()
    await page.getByRole('heading', { name: 'Groups', level: 1 }).waitFor()
    await page.goBack()
    await page.getByLabel('Release notes in Markdown').waitFor()
    assert.equal(await page.getByLabel('Release notes in Markdown').inputValue(), 'half a thou')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('link', { name: 'Groups' }).click()
    await page.getByRole('heading', { name: 'Groups', level: 1 }).waitFor()
    await page.context().close()
  })

  it('are kept when the session ends before they are saved', async () => {
    const page = await dashboard.chromium.openPage({ baseURL: dashboard.fresh.baseUrl })
    // A request that is refused before the click would lead to the sign-in page without it: the last ones are awaited.
    const followed = page.waitForResponse((answer) => new URL(answer.url()).pathname === '/v1/events')
    await signIn(page, `/builds/${dashboard.workspace.buildId}`)
    await followed
    await page.getByText('Compared with').waitFor()
    await page.getByRole('button', { name: 'Edit the release notes' }).click()
    await page.getByLabel('Release notes in Markdown').fill('typed for an hour')
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await fillSignIn(page)
    await page.getByLabel('Release notes in Markdown').waitFor()
    assert.equal(await page.getByLabel('Release notes in Markdown').inputValue(), 'typed for an hour')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('typed for an hour', { exact: true }).waitFor()
    await page.context().close()
  })

  async function signIn(page: Page, path: string): Promise<void> {
    await page.goto(path)
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await fillSignIn(page)
  }

  async function fillSignIn(page: Page): Promise<void> {
    await page.getByRole('textbox', { name: 'E-mail address' }).fill('ada@example.com')
    await page.getByRole('textbox', { name: 'Password' }).fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }
})
