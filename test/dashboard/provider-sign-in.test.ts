import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { type IdentityProvider, startIdentityProvider } from '../../apps/server/src/testing/identity-provider.ts'
import { openTemporaryFolder, type ServerProcess, startServerProcess, token } from '../processes/server-process.ts'
import { findBarriers, measureOverflow } from './accessibility.ts'
import { type Chromium, skip, startChromium } from './chromium.ts'

describe('sign-in through a provider in a browser', { skip, timeout: 900_000 }, () => {
  const opened = new AsyncDisposableStack()
  let provider: IdentityProvider
  let server: ServerProcess
  let chromium: Chromium
  before(async () => {
    provider = opened.use(await startIdentityProvider())
    const folder = opened.use(await openTemporaryFolder())
    const env = { FAIRLEAD_OIDC_PROVIDERS: JSON.stringify([provider.entry()]) }
    server = opened.use(await startServerProcess({ dataDir: folder.path, env }))
    provider.register(server.url.replace('127.0.0.1', 'localhost'))
    provider.people.set('ada', { name: 'Ada', email: 'ada@example.com', email_verified: true, groups: ['leads'] })
    chromium = opened.use(await startChromium())
    const answer = await fetch(`${server.url}/v1/groupRoles`, {
      method: 'PUT',
      headers: { 'X-Service-Token': token, 'Content-Type': 'application/json' },
      body: JSON.stringify([{ provider: 'corp', group: 'leads', role: 'admin' }]),
    })
    assert.equal(answer.status, 200)
  })
  after(() => opened.disposeAsync())

  async function check(page: Page) {
    assert.deepEqual(await findBarriers(page), [])
    assert.equal(await measureOverflow(page), 0)
  }

  it('leads from the sign-in page to the dashboard, and out again', async () => {
    const baseURL = server.url.replace('127.0.0.1', 'localhost')
    const page = await chromium.openPage({ baseURL, viewport: { width: 390, height: 844 } })
    await page.goto('/sign-in')
    const button = page.getByRole('link', { name: 'Continue with Corp' })
    await button.waitFor()
    await check(page)
    await button.click()
    await page.getByLabel('Name').fill('ada')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.waitForURL('**/applications')
    await page.goto('/account')
    const ways = page.getByRole('list', { name: 'Ways to sign in' })
    await ways.getByText('Corp').waitFor()
    await check(page)
    await page.goto('/workspace')
    await page.getByLabel('Group').waitFor()
    assert.equal(await page.getByLabel('Group').inputValue(), 'leads')
    await check(page)
    await page.getByRole('button', { name: 'Members sign in through: any way' }).press('Enter')
    await page.getByRole('menuitemradio', { name: 'any way', checked: true }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.getByRole('menuitemradio', { name: 'Corp' }).and(page.locator(':focus')).waitFor()
    await check(page)
    await page.keyboard.press('Enter')
    await page.getByText('The setting is saved').waitFor()
    await page.getByRole('button', { name: 'Members sign in through: Corp' }).and(page.locator(':focus')).waitFor()
    await page.goto('/account')
    await page.getByRole('button', { name: 'Navigation', exact: true }).click()
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL(`${provider.issuer}/**`)
    await page.getByRole('button', { name: /sign me out/i }).click()
    await page.waitForURL('**/sign-in')
    await button.waitFor()
    await page.context().close()
  })
})
