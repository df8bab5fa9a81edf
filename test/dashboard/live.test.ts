/** Changes by CI and by colleagues show on open pages, over one server and over two replicas. */
import assert from 'node:assert/strict'
import { after, before, describe, it, type TestContext } from 'node:test'
import { createSigner, writeApk } from '@fairlead/binary/fixture'
import type { Page } from 'playwright-core'
import { startPostgres } from '../../scripts/postgres.ts'
import { startServerProcess } from '../processes/server-process.ts'
import { findBarriers, measureOverflow } from './accessibility.ts'
import { skip } from './chromium.ts'
import { type OpenedDashboard, openDashboard } from './opened-dashboard.ts'

const signers = [createSigner()]
const versionCode = { last: 500 }

/** Uploads a build as CI does, to any server of the dashboard. */
async function upload(opened: OpenedDashboard, base = opened.fresh.baseUrl): Promise<string> {
  const code = ++versionCode.last
  const answer = await fetch(`${base}/v2/builds`, {
    method: 'POST',
    headers: { 'X-Service-Token': opened.workspace.apiToken, 'X-Service-Application-Alias': 'pilot' },
    body: new Uint8Array(writeApk({ versionCode: code, versionName: '3.0', signers })),
  })
  assert.equal(answer.status, 201, await answer.text())
  return `3.0 (${code})`
}

/** Opens a page and waits until it follows the events. */
async function follow(opened: OpenedDashboard, path: string, options = {}): Promise<Page> {
  const page = await opened.openPage(options)
  const following = page.waitForResponse(/\/v1\/events$/, { timeout: 60_000 })
  await page.goto(path)
  await following
  return page
}

/** Makes the page believe that its tab is hidden, or shown again, which a browser without windows never does. */
async function setVisibility(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  await page.evaluate(
    `Object.defineProperty(document, 'visibilityState', { configurable: true, value: '${state}' });
     document.dispatchEvent(new Event('visibilitychange'))`,
  )
}

describe('an open page of the dashboard', { skip, timeout: 900_000 }, () => {
  let opened: OpenedDashboard
  let root: string

  before(async () => {
    opened = await openDashboard()
    root = `/applications/${opened.workspace.applicationId}`
  })
  after(async () => {
    opened?.chromium.checkComplaints()
    await opened?.[Symbol.asyncDispose]()
  })

  it('says that there are new builds, and moves nothing before that is clicked', async () => {
    const page = await follow(opened, `${root}/builds`)
    const rows = page.getByRole('list', { name: 'Builds' }).getByRole('listitem')
    const before = await rows.first().boundingBox()
    const first = await upload(opened)
    await page.getByRole('status').getByRole('button', { name: '1 new build', exact: true }).waitFor()
    assert.deepEqual(await rows.first().boundingBox(), before)
    assert.equal(await page.getByText(first).count(), 0)
    assert.deepEqual(await findBarriers(page), [])
    const second = await upload(opened)
    await page.getByRole('button', { name: '2 new builds', exact: true }).click()
    await rows.first().filter({ hasText: second }).waitFor()
    await rows.nth(1).filter({ hasText: first }).waitFor()
    assert.equal(await page.getByRole('button', { name: /new build/ }).count(), 0)
    await page.context().close()
  })

  it('says so on a narrow screen and in the overview, and by keyboard', async () => {
    const page = await follow(opened, root, { viewport: { width: 390, height: 800 }, colorScheme: 'dark' })
    const version = await upload(opened)
    const pill = page.getByRole('button', { name: '1 new build', exact: true })
    await pill.waitFor()
    assert.equal(await measureOverflow(page), 0)
    assert.deepEqual(await findBarriers(page), [])
    await pill.focus()
    await page.keyboard.press('Enter')
    await page.getByText(version).first().waitFor()
    assert.equal(await page.evaluate('document.activeElement.id'), 'main')
    await page.context().close()
  })

  it('says that a colleague has changed the build that is shown', async () => {
    const { buildId } = opened.workspace
    const page = await follow(opened, `/builds/${buildId}`)
    const answer = await opened.callApi(`/v2/builds/${buildId}`, {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ releaseNotes: 'Written by a colleague' }),
    })
    assert.equal(answer.status, 200)
    const pill = page.getByRole('button', { name: 'This build has changed', exact: true })
    await pill.waitFor()
    assert.equal(await page.getByText('Written by a colleague').count(), 0)
    await pill.click()
    await page.getByText('Written by a colleague').first().waitFor()
    await page.context().close()
  })

  it('says that there is a new test run', async () => {
    const page = await follow(opened, `${root}/tests`)
    const sent = await opened.callApi('/v1/testReports', {
      method: 'POST',
      headers: { 'X-Service-Application-Alias': 'pilot' },
      body: '<testsuite name="unit"><testcase name="adds" classname="A"/></testsuite>',
    })
    assert.equal(sent.status, 201, await sent.text())
    await page.getByRole('button', { name: '1 new test run', exact: true }).click()
    await page.getByText('1 passed').first().waitFor()
    await page.context().close()
  })

  it('has caught up by itself when its tab is shown again', async () => {
    const page = await follow(opened, `${root}/builds`)
    await setVisibility(page, 'hidden')
    const version = await upload(opened)
    assert.equal(await page.getByText(version).count(), 0)
    await setVisibility(page, 'visible')
    await page.getByRole('list', { name: 'Builds' }).getByText(version).waitFor()
    await page.context().close()
  })

  it('has caught up by itself when it is online again', async () => {
    const page = await follow(opened, `${root}/builds`)
    await page.context().setOffline(true)
    await page.getByText('You are offline').waitFor()
    const version = await upload(opened)
    await page.context().setOffline(false)
    await page.getByRole('list', { name: 'Builds' }).getByText(version).waitFor()
    await page.context().close()
  })
})

describe('an open page of the dashboard over two replicas', { skip, timeout: 900_000 }, () => {
  it('says what was uploaded to the other one', async (context: TestContext) => {
    await using stack = new AsyncDisposableStack()
    const postgres = await startPostgres()
    if (!postgres) {
      assert.notEqual(process.env.CI, 'true', 'nothing may be left out here, and PostgreSQL is missing')
      context.skip('needs PostgreSQL')
      return
    }
    stack.use(postgres)
    const env = { FAIRLEAD_DATABASE_URL: postgres.url, FAIRLEAD_INITIAL_API_TOKEN: '' }
    const opened = stack.use(await openDashboard(env))
    const other = stack.use(await startServerProcess({ dataDir: opened.fresh.dataDir, env }))
    const page = await follow(opened, `/applications/${opened.workspace.applicationId}/builds`)
    const version = await upload(opened, other.url)
    await page.getByRole('button', { name: '1 new build', exact: true }).click()
    await page.getByRole('list', { name: 'Builds' }).getByText(version).waitFor()
    assert.equal(await other.end('SIGTERM'), 0)
  })
})
