import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Build, TestReport, TestResult } from '@fairlead/contract'
import type { Page } from 'playwright-core'
import { readAnswer } from '../../scripts/read-json.ts'
import { createPng } from '../../apps/server/src/testing/pictures.ts'
import { findBarriers, measureOverflow } from './accessibility.ts'
import { skip } from './chromium.ts'
import { openPage } from './filled-workspace.ts'
import { openDashboardOnEngine } from './on-engine.ts'
import type { OpenedDashboard } from './opened-dashboard.ts'
import { recordReport } from './recorded-trace.ts'
import { waitUntilTrue } from './wait-until-true.ts'

/** The folder for screenshots; without it none are taken. */
const screenshots = process.env.FAIRLEAD_TEST_SCREENSHOTS

const toData = (contentType: string, bytes: Buffer) => `data:${contentType};base64,${bytes.toString('base64')}`
const picture = (name: string) => {
  const contentType = 'image/png'
  return { name, contentType, path: toData(contentType, createPng({ width: 180, height: 390 })) }
}
const log = (name: string, text: string) => {
  const contentType = 'text/plain'
  return { name, contentType, path: toData(contentType, Buffer.from(text)) }
}

describe('the page of a failure', { skip, timeout: 900_000 }, () => {
  let dashboard: OpenedDashboard
  let builds: Build[]

  before(async () => {
    dashboard = await openDashboardOnEngine()
    const path = `/v1/applications/${dashboard.workspace.applicationId}/builds`
    builds = (await readAnswer<Build[]>(await dashboard.callApi(path))).toReversed()
  })
  after(() => dashboard?.[Symbol.asyncDispose]())

  async function send<Answer>(path: string, headers: Record<string, string>, body: string | Buffer, method = 'POST') {
    const answer = await dashboard.callApi(path, {
      method,
      headers,
      body: typeof body === 'string' ? body : new Uint8Array(body),
    })
    assert.ok(answer.ok, `${path}: ${answer.status}`)
    return await readAnswer<Answer>(answer)
  }

  /** Uploads a report of one run, and returns the first of its results. */
  async function upload(body: string | Buffer, headers: Record<string, string> = {}): Promise<TestResult> {
    const common = { 'X-Service-Application-Alias': 'pilot', 'X-Service-Branch': 'main' }
    const { run } = await send<TestReport>('/v1/testReports', { ...common, ...headers }, body)
    await send(`/v1/testRuns/${run.id}/complete`, {}, '')
    const [result] = await readAnswer<TestResult[]>(await dashboard.callApi(`/v1/testRuns/${run.id}/results`))
    assert.ok(result)
    return result
  }

  const check = async (page: Page) => {
    assert.deepEqual(await findBarriers(page), [], page.url())
    assert.ok((await measureOverflow(page)) <= 0, page.url())
    dashboard.chromium.checkComplaints()
  }

  it('shows each attempt with its own picture and log, and the last passed run beside them', async () => {
    const test = { name: 'pays', suite: ['shop'], duration: 900 }
    const toReport = (more: object) =>
      JSON.stringify({ results: { tool: { name: 'runner' }, tests: [{ ...test, ...more }] } })
    const [older, newer] = builds
    const [passedCommit, failedCommit] = ['a'.repeat(40), 'b'.repeat(40)]
    await upload(toReport({ status: 'passed', attachments: [picture('cart.png')] }), {
      'X-Service-Commit': passedCommit,
      'X-Service-Build-Id': String(older?.id),
    })
    const commit = { id: failedCommit, date: '2026-11-20T10:00:00Z', subject: 'Round the total', files: [] }
    await send(
      `/v1/builds/${newer?.id}/commits`,
      { 'Content-Type': 'application/json' },
      JSON.stringify({ base: passedCommit, head: failedCommit, commits: [commit] }),
      'PUT',
    )
    const failed = { status: 'failed', message: 'the total is wrong' }
    const first = { ...failed, attempt: 1, duration: 500 }
    const logs = [
      log('app.log', '2026-11-22T04:00:00.000Z opens the cart\n2026-11-22T04:00:00.250Z adds up'),
      log('app.log', '2026-11-22T04:07:00.000Z opens the cart again'),
    ]
    const retryAttempts = [{ ...first, attachments: [picture('first.png'), logs[0]] }]
    const { testId } = await upload(
      toReport({ ...failed, retries: 1, retryAttempts, attachments: [picture('second.png'), logs[1]] }),
      { 'X-Service-Commit': failedCommit, 'X-Service-Build-Id': String(newer?.id) },
    )
    const page = await dashboard.openPage({ viewport: { width: 1440, height: 900 } })
    await openPage(page, `/applications/${dashboard.workspace.applicationId}/tests/${testId}`)
    const recording = page.getByRole('region', { name: 'Recording' })
    await recording.getByText('opens the cart again').waitFor()
    await recording.getByRole('img', { name: 'second.png' }).waitFor()
    assert.deepEqual(await recording.getByRole('listitem').allTextContents(), ['0:00.000opens the cart again'])
    await recording.getByRole('button', { name: 'Attempt 1' }).click()
    await recording.getByRole('img', { name: 'first.png' }).waitFor()
    assert.deepEqual(await recording.getByRole('listitem').allTextContents(), [
      '0:00.000opens the cart',
      '0:00.250adds up',
    ])
    // The picture has its shape when it is loaded, which is later than its element on a busy machine.
    await waitUntilTrue(page, 'document.querySelector(\'img[alt="first.png"]\').complete')
    const size = await recording.getByRole('img').boundingBox()
    assert.ok(size && Math.abs(size.width / size.height - 180 / 390) < 0.02, 'a portrait picture stays portrait')

    const passed = page.getByRole('region', { name: 'Last passed' })
    await passed.getByRole('img', { name: 'When it passed: cart.png' }).waitFor()
    await passed.getByText('aaaaaaaaaa').waitFor()
    const places = [await recording.boundingBox(), await passed.boundingBox()]
    assert.ok(places[0] && places[1] && places[1].x >= places[0].x + places[0].width, 'they are side by side')
    const commits = page.getByRole('region', { name: 'Commits since it passed' })
    await commits.getByText('Round the total').waitFor()
    const results = page.getByRole('region', { name: 'Results' }).getByRole('listitem')
    await results.getByText('main · bbbbbbbbbb').waitFor()
    await results.getByText('main · aaaaaaaaaa').waitFor()
    assert.equal(await results.locator('time').count(), 2)
    await check(page)
    for (const width of [390, 768, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      await check(page)
      if (screenshots === undefined) continue
      await page.screenshot({ path: `${screenshots}/failure-${width}.png`, fullPage: true })
    }
    await page.context().close()
  })

  it("opens a trace of Playwright in Playwright's viewer, in which recorded scripts do not run", async () => {
    const page = await dashboard.openPage()
    const { testId } = await upload(await recordReport(dashboard.chromium))
    await openPage(page, `/applications/${dashboard.workspace.applicationId}/tests/${testId}`)
    const opening = page.context().waitForEvent('page')
    await page.getByRole('link', { name: 'Open the trace' }).click()
    const viewer = await opening
    const violations: string[] = []
    viewer.on('console', (message) => {
      if (/Content Security Policy/.test(message.text())) violations.push(message.text())
    })
    await viewer.getByText('Set content').first().waitFor({ timeout: 60_000 })
    await viewer.getByText('Click').first().click()
    const snapshot = viewer.frameLocator('iframe.snapshot-visible')
    await snapshot.getByRole('button', { name: 'Pay' }).waitFor({ timeout: 60_000 })
    assert.equal(await viewer.evaluate('globalThis.broken'), undefined)
    // The only refused scripts are those of the recorded page.
    assert.deepEqual(
      violations.filter((text) => !/inline event handler/.test(text)),
      [],
    )
    if (screenshots !== undefined) await viewer.screenshot({ path: `${screenshots}/trace-viewer.png` })

    // A file of the trace that is opened by itself is in an origin of its own, without scripts.
    const policy = await viewer.evaluate<string | null>(`(async () => {
      const trace = new URL(location.href).searchParams.get('trace')
      const answer = await fetch('file/test.trace?trace=' + encodeURIComponent(trace))
      return answer.headers.get('content-security-policy')
    })()`)
    assert.match(policy ?? '', /default-src 'none'; sandbox/)
    // The server's other pages are outside the scope of the service worker.
    assert.equal(await page.evaluate('navigator.serviceWorker.controller'), null)
    await viewer.close()
    await page.context().close()
  })
})
