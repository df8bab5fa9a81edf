import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Quarantine, Test, TestReport, TestResult } from '@fairlead/contract'
import { writeZip } from '@fairlead/binary/fixture'
import { writeSampleArchive } from '@fairlead/symbols/fixture'
import type { Page } from 'playwright-core'
import { connectedMapping, writeConnectedTests, writeUiTests } from '../../apps/server/src/testing/crashed-tests.ts'
import { findBarriers, measureOverflow } from './accessibility.ts'
import { skip } from './chromium.ts'
import { openPage } from './filled-workspace.ts'
import { untilQuiet } from './requests-of-page.ts'
import { openDashboard, type OpenedDashboard } from './opened-dashboard.ts'
import { readAnswer } from '../../scripts/read-json.ts'
import { waitUntilTrue } from './wait-until-true.ts'

/** The folder for screenshots; without it none are taken. */
const screenshots = process.env.FAIRLEAD_TEST_SCREENSHOTS
const hostile = '<img src=x onerror="globalThis.broken=1">'
const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

const looks = [
  { colorScheme: 'light', width: 390 },
  { colorScheme: 'dark', width: 1440 },
] as const

/** Writes a JUnit report. The number of the run decides which cases fail, are flaky or pass. */
function writeReport(run: number): string {
  const cases = Array.from({ length: 30 }, (_, index) => {
    const start = `<testcase classname="shop.CartTest" name="case ${index}" time="${(0.1 * (index + 1)).toFixed(1)}">`
    if (index === 3 && run >= 3) {
      const trace = 'java.lang.IllegalStateException: cart is empty\n\tat shop.Cart.checkOut(Cart.kt:41)'
      const failure = `<failure type="java.lang.IllegalStateException" message="cart is empty">${trace}</failure>`
      return `${start}${failure}</testcase>`
    }
    if (index === 7) return `${start}<flakyFailure message="timed out" type="Timeout"/></testcase>`
    return `${start}${index === 9 ? '<skipped/>' : ''}</testcase>`
  })
  const last =
    run === 3
      ? `<testcase classname="shop.MenuTest" name="${escape(hostile)}"><failure message="${escape(hostile)}"/>` +
        `<system-out>${escape(hostile)}</system-out></testcase>`
      : ''
  return `<testsuite name="unit">${cases.join('\n')}${last}</testsuite>`
}

const toPost = (headers: Record<string, string>, body: string | Buffer, method = 'POST') => ({
  method,
  headers,
  body: typeof body === 'string' ? body : new Uint8Array(body),
})

describe('the pages of tests', { skip, timeout: 900_000 }, () => {
  let dashboard: OpenedDashboard
  let runs: number[]

  before(async () => {
    dashboard = await openDashboard()
    runs = []
    for (const number of [1, 2, 3]) runs.push((await upload(writeReport(number), `c${number}`)).run.id)
  })

  after(() => dashboard?.[Symbol.asyncDispose]())

  async function call<Answer>(path: string, method = 'GET', headers = {}, body: string | Buffer = ''): Promise<Answer> {
    const answer = await dashboard.callApi(path, method === 'GET' ? undefined : toPost(headers, body, method))
    assert.ok(answer.ok, `${method} ${path}: ${answer.status}`)
    return await readAnswer<Answer>(answer)
  }

  async function upload(body: string, commit: string, isComplete = true): Promise<TestReport> {
    const report = await call<TestReport>(
      '/v1/testReports',
      'POST',
      {
        'X-Service-Application-Alias': 'pilot',
        'X-Service-Branch': 'main',
        'X-Service-Commit': commit,
        'X-Service-Run-Key': `job ${commit}`,
        'X-Service-Build-Id': String(dashboard.workspace.buildId),
      },
      body,
    )
    if (isComplete) await call(`/v1/testRuns/${report.run.id}/complete`, 'POST')
    return report
  }

  const check = async (page: Page) => {
    assert.deepEqual(await findBarriers(page), [], page.url())
    assert.ok((await measureOverflow(page)) <= 0, page.url())
    assert.equal(await page.evaluate('globalThis.broken'), undefined)
  }

  for (const { colorScheme, width } of looks) {
    it(`pass axe, fit the screen and escape outside text: ${colorScheme}, ${width} px`, async () => {
      const { workspace } = dashboard
      const [, second, third] = runs
      const root = `/applications/${workspace.applicationId}/tests`
      const failed = await call<TestResult[]>(`/v1/testRuns/${third}/results?outcome=failed`)
      const flaky = await call<Test[]>(`/v1/applications/${workspace.applicationId}/tests?state=flaky`)
      const page = await dashboard.openPage({ colorScheme, viewport: { width, height: 800 }, reducedMotion: 'reduce' })
      const paths = {
        empty: `/applications/${workspace.emptyApplicationId}/tests`,
        emptyCrashes: `/applications/${workspace.emptyApplicationId}/crashes`,
        emptyQuarantine: `/applications/${workspace.emptyApplicationId}/tests/all?state=quarantined`,
        runs: root,
        run: `${root}/runs/${third}`,
        comparison: `${root}/runs/${third}/comparison?to=${second}`,
        failing: `${root}/all?state=failing`,
        flaky: `${root}/all?state=flaky`,
        slow: `${root}/all?state=slow`,
        quarantined: `${root}/all?state=quarantined`,
        all: `${root}/all`,
        failingTest: `${root}/${failed[0]?.testId}`,
        hostileTest: `${root}/${failed[1]?.testId}`,
        flakyTest: `${root}/${flaky[0]?.id}`,
        build: `/builds/${workspace.buildId}`,
      }
      for (const [index, [name, path]] of Object.entries(paths).entries()) {
        // The two combinations together cover every page; all pages in both are only for screenshots.
        if (screenshots === undefined && (index % 2 === 0) !== (colorScheme === 'dark')) continue
        await openPage(page, path)
        await untilQuiet(page)
        await check(page)
        if (screenshots === undefined) continue
        await page.screenshot({ path: `${screenshots}/${name}-${colorScheme}-${width}.png`, fullPage: true })
      }
      dashboard.chromium.checkComplaints()
      await page.context().close()
    })
  }

  it('keep the order of all tests in the address, and lead from a duration to its run', async () => {
    const root = `/applications/${dashboard.workspace.applicationId}/tests`
    const page = await dashboard.openPage({ viewport: { width: 1200, height: 800 } })
    await openPage(page, `${root}/all`)
    await page.getByRole('columnheader', { name: 'Test' }).and(page.locator('[aria-sort=ascending]')).waitFor()
    await page.getByRole('button', { name: 'p95' }).click()
    await page.waitForURL(/\?sort=p95$/)
    await page.reload()
    await page.getByRole('columnheader', { name: 'p95' }).and(page.locator('[aria-sort=descending]')).waitFor()
    await page.getByRole('link', { name: 'case 2', exact: true }).click()
    await page.locator(`figure a[href$="/runs/${runs[1]}"]`).click()
    await page.waitForURL(new RegExp(`${root}/runs/${runs[1]}$`))
    const nav = page.getByRole('navigation', { name: 'Tests' })
    await nav.getByRole('link', { name: 'Runs' }).and(page.locator('[aria-current="page"]')).waitFor()
    await page.context().close()
  })

  it('lead from the list of runs to a failure, to its quarantine and back', async () => {
    const { workspace } = dashboard
    const page = await dashboard.openPage()
    await openPage(page, `/applications/${workspace.applicationId}`)
    await page.getByRole('link', { name: 'Tests', exact: true }).click()
    await page.getByText('job c3').waitFor()
    await page
      .getByRole('list', { name: 'Test runs' })
      .getByRole('link', { name: `Run ${runs[2]}`, exact: true })
      .click()
    await page.getByText('2 tests fail that did not fail at the base').waitFor()
    await page.getByRole('link', { name: 'java.lang.IllegalStateException: cart is empty' }).click()
    await page.getByText('Cart.kt:41').first().waitFor()
    await page.getByText('Fails on main since').waitFor()
    await page.getByRole('button', { name: 'Quarantine' }).click()
    await page.getByRole('menuitem', { name: 'For 7 days' }).click()
    await page.getByRole('textbox', { name: 'Reason' }).fill('Waits for the new till')
    const lastDay = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)
    await page.getByLabel('Until the end of').fill(lastDay)
    await page.getByRole('button', { name: 'Quarantine the test' }).click()
    await page.getByRole('button', { name: 'End the quarantine' }).waitFor()
    const quarantines = await call<Quarantine[]>(`/v1/applications/${workspace.applicationId}/quarantine`, 'GET')
    assert.deepEqual(
      quarantines.map(({ expirationDate }) => expirationDate),
      [`${lastDay}T23:59:59.999Z`],
    )
    await page.getByRole('textbox', { name: 'Owner' }).fill('@shop/till')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The owner is saved').waitFor()
    await page.getByRole('link', { name: 'Quarantined', exact: true }).click()
    await page.getByText('Waits for the new till').waitFor()
    await page.getByText('owned by @shop/till').waitFor()
    await page.getByRole('link', { name: 'case 3' }).click()
    await page.getByRole('button', { name: 'End the quarantine' }).click()
    await page.getByRole('button', { name: 'Quarantine' }).waitFor()
    dashboard.chromium.checkComplaints()
    await page.context().close()
  })

  it('sort all tests and not only those of the first page, by suite and name or from the slowest', async () => {
    const { emptyApplicationId } = dashboard.workspace
    const { alias } = await call<{ alias: string }>(`/v1/applications/${emptyApplicationId}`)
    const names = Array.from({ length: 60 }, (_, index) => `case ${String(index).padStart(2, '0')}`)
    // The first tests that came, which the newest page lacks, are the first by name and the slowest.
    const cases = names.map((name, index) => `<testcase classname="A" name="${name}" time="${60 - index}"/>`)
    for (const suite of ['<testsuite name="unit">', '<testsuite name="zebra"><testcase name="late" time="99"/>']) {
      const isFirst = suite.includes('unit')
      const report = `${suite}${isFirst ? cases.join('') : ''}</testsuite>`
      const { run } = await call<TestReport>(
        '/v1/testReports',
        'POST',
        { 'X-Service-Application-Alias': alias, 'X-Service-Branch': 'main' },
        report,
      )
      await call(`/v1/testRuns/${run.id}/complete`, 'POST')
    }
    const page = await dashboard.openPage({ viewport: { width: 1200, height: 800 } })
    const shown = page.getByRole('table', { name: 'Tests' }).getByRole('link')
    await openPage(page, `/applications/${emptyApplicationId}/tests/all`)
    await page.getByText('61 tests, of which 50 are shown', { exact: true }).waitFor()
    assert.deepEqual(await shown.allTextContents(), names.slice(0, 50))
    // Nothing is counted of a suite whose other tests are on the next page.
    await page.getByRole('rowheader', { name: 'unit', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Show more' }).click()
    await page.getByRole('rowheader', { name: 'unit 60', exact: true }).waitFor()
    assert.deepEqual(await shown.allTextContents(), [...names, 'late'])
    await page.getByRole('button', { name: 'p95' }).click()
    await page.getByText('61 tests, of which 50 are shown', { exact: true }).waitFor()
    assert.deepEqual(await shown.allTextContents(), ['late', ...names.slice(0, 49)])
    await page.context().close()
  })

  it('count a flaky test apart from those that passed at once, wherever they describe a run', async () => {
    const root = `/applications/${dashboard.workspace.applicationId}/tests`
    const page = await dashboard.openPage()
    await openPage(page, root)
    const row = page.getByRole('list', { name: 'Test runs' }).getByRole('listitem').filter({ hasText: 'job c3' })
    await row.getByText('2 failed, 1 flaky, 27 passed, 1 skipped').waitFor()
    await page.getByRole('link', { name: `Run ${runs[2]}: 90% passed, 3.3% flaky`, exact: true }).waitFor()
    await openPage(page, `${root}/runs/${runs[2]}`)
    await page.locator('figcaption', { hasText: '27 passed' }).getByText('1 flaky').waitFor()
    await page.getByText('Passed 27, flaky 1', { exact: true }).click()
    const cases = page.getByRole('list', { name: 'Cases' }).getByRole('listitem')
    await cases.filter({ hasText: 'passed at last' }).waitFor()
    assert.equal(await cases.count(), 28)
    await page.context().close()
  })

  it('say of a known failure on the page of a build, as on that of its run, that no run fails for it', async () => {
    const { run } = await upload(writeReport(4), 'c5')
    const page = await dashboard.openPage()
    await openPage(page, `/applications/${dashboard.workspace.applicationId}/tests/runs/${run.id}`)
    await page.getByText('Failures that do not count: 1 known.').waitFor()
    await openPage(page, `/builds/${dashboard.workspace.buildId}`)
    const tests = page.getByRole('region', { name: 'Tests' })
    await tests.getByText('A build fails for these as well, a run does not: 1 known.').waitFor()
    assert.deepEqual(await tests.getByRole('listitem').allTextContents(), [
      '2 tests fail that did not fail at the base',
    ])
    await page.context().close()
  })

  it('show the source line of an app that crashed in a test, even when symbols come later', async () => {
    const { workspace } = dashboard
    const send = (alias: string, archive: Buffer, headers = {}) =>
      call<TestReport>(
        '/v1/testReports',
        'POST',
        { 'X-Service-Application-Alias': alias, 'X-Service-Commit': 'abc123', ...headers },
        archive,
      )
    const commitUrl = `${dashboard.fresh.baseUrl}/commit/{commit}`
    for (const id of [workspace.applicationId, workspace.iosApplicationId]) {
      await call(
        `/v1/applications/${id}`,
        'PATCH',
        { 'Content-Type': 'application/json' },
        JSON.stringify({ commitUrl }),
      )
    }
    const page = await dashboard.openPage({ viewport: { width: 390, height: 800 } })
    const follow = async (applicationId: number, runId: number, isResolved: boolean, frame: string) => {
      await call(`/v1/testRuns/${runId}/complete`, 'POST')
      await openPage(page, `/applications/${applicationId}/tests/runs/${runId}`)
      const crashes = page.getByRole('region', { name: 'Verdict' }).getByRole('listitem').getByRole('link')
      await crashes.first().click()
      await page.getByRole('region', { name: 'Failure' }).getByText(frame).first().waitFor()
      assert.equal(await page.getByText('Symbols are missing').count(), isResolved ? 0 : 1)
      const commit = page.getByRole('region', { name: 'Failure' }).getByRole('link', { name: 'abc123' })
      assert.equal(await commit.getAttribute('href'), `${dashboard.fresh.baseUrl}/commit/abc123`)
      await check(page)
      if (screenshots !== undefined)
        await page.screenshot({ path: `${screenshots}/crash-${frame}.png`, fullPage: true })
    }

    const ui = await send('pilot-ios', writeUiTests('ips'))
    await follow(workspace.iosApplicationId, ui.run.id, false, '0x0000000104d48130')
    const symbols = { 'X-Service-Application-Alias': 'pilot-ios' }
    assert.ok((await dashboard.callApi('/v2/symbolsFiles', toPost(symbols, writeSampleArchive()))).ok)
    await page.reload()
    await page.getByText('money.h:40').first().waitFor()
    await page.getByText('cart.cpp:12').first().waitFor()

    const mapping = {
      'X-Service-Application-Alias': 'pilot',
      'X-Service-Package': 'dev.fairlead.sample',
      'X-Service-Version-Name': '1.0',
      'X-Service-Version-Code': '2',
    }
    assert.ok((await dashboard.callApi('/v2/symbolsFiles', toPost(mapping, Buffer.from(connectedMapping)))).ok)
    const connected = await send('pilot', writeConnectedTests(), { 'X-Service-Build-Id': String(workspace.buildId) })
    await follow(workspace.applicationId, connected.run.id, true, 'Cart.kt:42')
    dashboard.chromium.checkComplaints()
    await page.context().close()
  })

  it('play the video of a failure by ranges, with log, requests and messages at their times beside it', async () => {
    const { workspace } = dashboard
    const page = await dashboard.openPage({ viewport: { width: 1440, height: 900 } })
    const video = await recordVideo(page)
    const at = (ms: number) => new Date(Date.UTC(2026, 10, 22, 4) + ms).toISOString()
    const request = { method: 'GET', url: `https://shop.example/${hostile}` }
    const har = { log: { entries: [{ startedDateTime: at(300), time: 7, request, response: { status: 503 } }] } }
    const message = { date: at(100), direction: 'sent', kind: 'request', id: 1, name: 'checkOut' }
    const files = ['video.webm', 'app.log', 'network.har', 'messages.jsonl']
    const attached = files.map((name) => `[[ATTACHMENT|${name}]]`).join('\n')
    const report =
      '<testsuite name="ui"><testcase classname="shop.UiTest" name="is recorded"><failure message="late"/>' +
      `<system-out>${attached}</system-out></testcase></testsuite>`
    const parts = {
      'report.xml': report,
      'video.webm': video,
      'app.log': `${at(0)} opens\n${at(200)} fails to pay`,
      'network.har': JSON.stringify(har),
      'messages.jsonl': `${JSON.stringify(message)}\n`,
    }
    const archive = writeZip(Object.entries(parts).map(([name, data]) => ({ name, data: Buffer.from(data) })))
    const { run } = await call<TestReport>(
      '/v1/testReports',
      'POST',
      { 'X-Service-Application-Alias': 'pilot' },
      archive,
    )
    const [result] = await call<TestResult[]>(`/v1/testRuns/${run.id}/results`)
    const ranges: (string | undefined)[] = []
    page.on('request', (sent) => {
      if (sent.resourceType() === 'media') ranges.push(sent.headers()['range'])
    })
    await openPage(page, `/applications/${workspace.applicationId}/tests/${result?.testId}`)
    const recording = page.getByRole('region', { name: 'Recording' })
    await recording.getByText('→ request checkOut').waitFor()
    assert.deepEqual(await recording.getByRole('listitem').locator('code').allTextContents(), [
      'opens',
      '→ request checkOut',
      'fails to pay',
      `GET https://shop.example/${hostile} → 503, 7 ms`,
    ])
    await waitUntilTrue(page, 'document.querySelector("video").readyState >= 2')
    await recording.getByRole('button', { name: 'Go to 0:00.200' }).click()
    await waitUntilTrue(page, 'Math.abs(document.querySelector("video").currentTime - 0.2) < 0.001')
    await recording.locator('[aria-current=time]', { hasText: 'fails to pay' }).waitFor()
    assert.ok(ranges.some((range) => range?.startsWith('bytes=')))
    await recording.getByLabel('Move the log by seconds').fill('-0.1')
    await page.waitForURL(/shift=-100/)
    await page.reload()
    await recording.locator('li', { hasText: 'fails to pay' }).getByRole('button', { name: 'Go to 0:00.100' }).click()
    await recording.locator('[aria-current=time]', { hasText: 'fails to pay' }).waitFor()
    await recording.getByRole('button', { name: '+ 0.5 s' }).click()
    await page.waitForURL(/shift=400/)
    await check(page)
    if (screenshots !== undefined) await page.screenshot({ path: `${screenshots}/recording.png`, fullPage: true })
    dashboard.chromium.checkComplaints()
    await page.context().close()
  })

  it('show the attachments of each attempt, of a case that passed at last as well', async () => {
    const { workspace } = dashboard
    const page = await dashboard.openPage({ viewport: { width: 390, height: 800 } })
    const shot = (name: string) => ({ attachments: [{ name, contentType: 'text/plain', path: 'data:text/plain,x' }] })
    const trace = 'java.lang.IllegalStateException: too slow\n\tat shop.Menu.open(Menu.kt:7)'
    const attempt = { attempt: 1, status: 'failed', duration: 2, message: 'too slow', trace, ...shot('early.txt') }
    const retryAttempts = [attempt, { attempt: 2, status: 'failed', duration: 2, message: 'too slow', trace }]
    const test = { name: 'is slow', status: 'passed', duration: 5, retries: 2, retryAttempts }
    const report = JSON.stringify({ results: { tool: { name: 'x' }, tests: [{ ...test, ...shot('late.txt') }] } })
    const { run } = await upload(report, 'c9')
    const [result] = await call<TestResult[]>(`/v1/testRuns/${run.id}/results`)
    await openPage(page, `/applications/${workspace.applicationId}/tests/${result?.testId}`)
    const failure = page.getByRole('region', { name: 'Failure' })
    await failure
      .getByRole('list', { name: 'Attachments of attempt 1' })
      .getByRole('link', { name: 'early.txt' })
      .waitFor()
    // Both attempts failed in the same way, which is shown once.
    await failure.getByText('In the failure, 2 times').waitFor()
    assert.equal(await failure.getByRole('region', { name: 'Crash: failure' }).count(), 1)
    await page.getByRole('link', { name: '2 attachments' }).click()
    const files = page.getByRole('region', { name: `Attachments of run ${run.id}` })
    await files.getByRole('region', { name: 'Attempt 1' }).getByRole('link', { name: 'early.txt' }).waitFor()
    await files.getByRole('region', { name: 'Attempt 3' }).getByRole('link', { name: 'late.txt' }).waitFor()
    await check(page)
    dashboard.chromium.checkComplaints()
    await page.context().close()
  })

  it('give an application a badge and owners of its tests in its settings', async () => {
    const page = await dashboard.openPage()
    await openPage(page, `/applications/${dashboard.workspace.applicationId}/settings`)
    await page.getByRole('button', { name: 'Create an address' }).click()
    const url = await page.getByRole('textbox', { name: 'Address of the badge' }).inputValue()
    assert.match(await (await fetch(url)).text(), /<svg/)
    await waitUntilTrue(page, 'document.querySelector("img[alt^=The]").naturalWidth > 0')
    await page.getByRole('textbox', { name: 'CODEOWNERS' }).fill('* @all')
    await page.getByRole('button', { name: 'Save the owners' }).click()
    await page.getByText('The owners are saved').waitFor()
    await check(page)
    await page.getByRole('button', { name: 'Revoke the address' }).click()
    await page.getByRole('button', { name: 'Create an address' }).waitFor()
    assert.equal((await fetch(url)).status, 404)
    dashboard.chromium.checkComplaints()
    await page.context().close()
  })

  it('follow a run while it is arriving', async () => {
    const { run } = await upload(writeReport(1), 'c4', false)
    const page = await dashboard.openPage()
    await openPage(page, `/applications/${dashboard.workspace.applicationId}/tests/runs/${run.id}`)
    await page.getByText('This run is still arriving').waitFor()
    const more = '<testsuite name="late"><testcase classname="shop.LateTest" name="arrives late"/></testsuite>'
    await upload(more, 'c4', false)
    await page.getByText('31 cases').waitFor()
    await page.getByText('arrives late').waitFor()
    await page.getByRole('button', { name: 'Complete and judge it' }).click()
    await page.getByText('Nothing speaks against it.').waitFor()
    dashboard.chromium.checkComplaints()
    await page.context().close()
  })
})

/** Records half a second of a canvas in the browser itself, so that the video has a format that the browser plays. */
async function recordVideo(page: Page): Promise<Buffer> {
  const base64 = await page.evaluate<string>(`(async () => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 160, height: 120 })
    const context = canvas.getContext('2d')
    const recorder = new MediaRecorder(canvas.captureStream(30), { mimeType: 'video/webm' })
    const parts = []
    recorder.ondataavailable = ({ data }) => parts.push(data)
    const stopped = new Promise((resolve) => { recorder.onstop = resolve })
    recorder.start()
    const start = performance.now()
    while (performance.now() - start < 500) {
      context.fillStyle = 'hsl(' + performance.now() + ' 60% 50%)'
      context.fillRect(0, 0, 160, 120)
      await new Promise(requestAnimationFrame)
    }
    recorder.stop()
    await stopped
    const bytes = new Uint8Array(await new Blob(parts).arrayBuffer())
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  })()`)
  return Buffer.from(base64, 'base64')
}
