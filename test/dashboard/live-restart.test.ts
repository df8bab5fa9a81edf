/** An open page of the dashboard while two replicas behind nginx are restarted one after the other. */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { createSigner, writeApk } from '@fairlead/binary/fixture'
import type { Page } from 'playwright-core'
import { findFreePort } from '../../scripts/free-port.ts'
import { startPostgres } from '../../scripts/postgres.ts'
import { hasNginx, startDocumentedNginx } from '../processes/documented-nginx.ts'
import { type ServerProcess, startServerProcess } from '../processes/server-process.ts'
import { skip } from './chromium.ts'
import { type OpenedDashboard, openDashboard } from './opened-dashboard.ts'

const signers = [createSigner()]

describe('an open page of the dashboard during a rolling restart of two replicas', { skip, timeout: 900_000 }, () => {
  it('says what is new each time, and misses nothing', async (context: TestContext) => {
    await using stack = new AsyncDisposableStack()
    const postgres = hasNginx() ? await startPostgres() : undefined
    if (!postgres) {
      assert.notEqual(process.env.CI, 'true', 'nothing may be left out here, and PostgreSQL or nginx is missing')
      context.skip('needs PostgreSQL and nginx')
      return
    }
    stack.use(postgres)
    const [frontPort, ...ports] = [await findFreePort(), await findFreePort(), await findFreePort()]
    const urls = ports.map((port) => `http://127.0.0.1:${port}`)
    stack.use(await startDocumentedNginx(frontPort, urls))
    const toEnvironment = (index: number) => ({
      FAIRLEAD_PORT: String(ports[index]),
      FAIRLEAD_BASE_URL: `http://127.0.0.1:${frontPort}`,
      FAIRLEAD_TRUST_PROXY: 'loopback',
      FAIRLEAD_DATABASE_URL: postgres.url,
      FAIRLEAD_INITIAL_API_TOKEN: '',
    })
    const opened = stack.use(await openDashboard(toEnvironment(0)))
    const start = (index: number) => startServerProcess({ dataDir: opened.fresh.dataDir, env: toEnvironment(index) })
    const replicas: ServerProcess[] = [opened.fresh.server, await start(1)]
    stack.defer(async () => {
      for (const replica of replicas) await replica.end('SIGKILL')
    })

    const page = await opened.openPage()
    const following = page.waitForResponse(/\/v1\/events$/, { timeout: 60_000 })
    await page.goto(`/applications/${opened.workspace.applicationId}/builds`)
    await following
    let code = 700
    for (const [index, replica] of replicas.entries()) {
      // Streams end when a replica begins to close. This build comes while the page has none, or one of the other.
      const ended = replica.end('SIGTERM')
      await upload(opened, ++code)
      await showNewest(page, code)
      assert.equal(await ended, 0, 'the replica did not end as it should')
      await upload(opened, ++code)
      await showNewest(page, code)
      replicas[index] = await start(index)
      await upload(opened, ++code)
      await showNewest(page, code)
    }
    assert.equal(
      await page
        .getByRole('list', { name: 'Builds' })
        .getByText(/^4\.0 \(\d+\)$/)
        .count(),
      6,
    )
    await page.context().close()
  })
})

/** Uploads a build as CI does, which tries again where a replica is closing. */
async function upload({ workspace, fresh }: OpenedDashboard, versionCode: number): Promise<void> {
  const body = new Uint8Array(writeApk({ versionCode, versionName: '4.0', signers }))
  for (let attempt = 0; ; attempt++) {
    const answer = await fetch(`${fresh.baseUrl}/v2/builds`, {
      method: 'POST',
      headers: { 'X-Service-Token': workspace.apiToken, 'X-Service-Application-Alias': 'pilot' },
      body,
    })
    if (answer.status === 201) return
    assert.ok(answer.status >= 502 && attempt < 20, `${answer.status}: ${await answer.text()}`)
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}

/** Waits until the page says by itself that there is something new, and loads it. */
async function showNewest(page: Page, versionCode: number): Promise<void> {
  await page.getByRole('button', { name: /^\d+ new builds?$|^There may be changes$/ }).click({ timeout: 20_000 })
  await page.getByRole('list', { name: 'Builds' }).getByText(`4.0 (${versionCode})`, { exact: true }).waitFor()
}
