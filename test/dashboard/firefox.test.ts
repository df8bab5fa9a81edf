import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { createSigner, writeApk } from '@fairlead/binary/fixture'
import type { Build, TestReport, TestResult } from '@fairlead/contract'
import { readAnswer } from '../../scripts/read-json.ts'
import { openTemporaryFolder } from '../processes/server-process.ts'
import { skip as skipChromium, startChromium } from './chromium.ts'
import { type FilledAnalysis, fillAnalysis } from './filled-analysis.ts'
import { type FilledWorkspace, fillWorkspace } from './filled-workspace.ts'
import { type Firefox, type FirefoxPage, keys, skip, startFirefox } from './firefox.ts'
import { type FreshServer, password, startFreshServer } from './first-start.ts'
import { recordReport } from './recorded-trace.ts'

/** The folder for screenshots; without it none are taken. */
const screenshots = process.env.FAIRLEAD_TEST_SCREENSHOTS

describe('the dashboard in Firefox', { skip, timeout: 900_000 }, () => {
  let fresh: FreshServer
  let workspace: FilledWorkspace
  let analysis: FilledAnalysis
  let firefox: Firefox
  let page: FirefoxPage
  let root: string

  before(async () => {
    fresh = await startFreshServer()
    workspace = await fillWorkspace(fresh)
    analysis = await fillAnalysis(fresh.baseUrl, workspace)
    root = `${fresh.baseUrl}/applications/${workspace.applicationId}`
    firefox = await startFirefox()
    page = await firefox.openPage()
  })

  const show = async (name: string) => {
    if (screenshots !== undefined) await writeFile(`${screenshots}/firefox-${name}.png`, await page.takePicture())
  }

  after(async () => {
    await firefox?.[Symbol.asyncDispose]()
    await fresh?.[Symbol.asyncDispose]()
  })

  it('signs in by password, and leads from the list of applications to a build', async () => {
    await page.goto(`${fresh.baseUrl}/sign-in`)
    await page.click({ css: 'input[type=email]' })
    await page.type('ada@example.com')
    await page.click({ css: 'input[type=password]' })
    await page.type(password + keys.enter)
    await page.waitFor({ role: 'list', name: 'Applications' })
    await page.click({ css: `a[href="/applications/${workspace.applicationId}"]` })
    await page.click({ role: 'link', name: 'Builds' })
    await page.waitFor({ role: 'list', name: 'Builds' })
    await page.click({ role: 'link', name: '1.0 (2)' })
    await page.waitFor({ role: 'button', name: 'Distribute' })
    assert.match(await page.read('document.title'), /1\.0 \(2\)/)
  })

  it('shows the install page without an account', async () => {
    const headers = { 'X-Service-Token': workspace.apiToken }
    const answer = await fetch(`${fresh.baseUrl}/v1/builds/${workspace.buildId}`, { headers })
    const phone = await firefox.openPage()
    await phone.goto((await readAnswer<Build>(answer)).installUrl)
    await phone.waitFor({ text: 'Charts work' })
    assert.match(await phone.read('document.querySelector("h1").innerText'), /Pilot/)
  })

  it('shows a crash group with its frames', async () => {
    await page.goto(`${root}/crashes/${analysis.crashGroupId}`)
    await page.waitFor({ text: 'com.example.pilot.MainActivity.onCreate' })
  })

  it('leads from a test run to the failure of a test', async () => {
    await page.goto(`${root}/tests/runs/${analysis.testRunId}`)
    await page.click({ role: 'link', name: 'checks out' })
    await page.waitFor({ role: 'heading', name: 'checks out' })
    await page.waitFor({ text: 'cart is empty' })
  })

  it('distributes a build in a dialog, which Escape closes and which gives the focus back', async () => {
    await page.goto(`${fresh.baseUrl}/builds/${workspace.buildId}`)
    // The code is drawn when the page is complete.
    await page.waitFor({ css: '[aria-label="QR code of the install link"]' })
    await page.focus({ role: 'button', name: 'Distribute' })
    await page.waitFor({ css: 'button:focus' })
    await page.type(keys.enter)
    await page.waitFor({ css: '[role=dialog] input[type=checkbox]' })
    await page.type(keys.escape)
    await page.waitUntilGone({ css: '[role=dialog]' })
    await page.waitFor({ css: 'button:focus' })
    assert.equal(await page.read('document.activeElement.innerText.trim()'), 'Distribute')
    await page.type(keys.enter)
    await page.click({ css: '[role=dialog] input[type=checkbox]' })
    await page.click({ css: '[role=dialog] button[type=submit]' })
    await page.waitFor({ text: 'Distributed' })
    await page.waitUntilGone({ css: '[role=dialog]' })
  })

  it('uploads a build that is chosen from a folder, and leads to it', async () => {
    await using folder = await openTemporaryFolder()
    const path = join(folder.path, 'pilot.apk')
    const build = { packageName: 'dev.fairlead.sample', label: 'Pilot', versionCode: 400, versionName: '3.0' }
    await writeFile(path, writeApk({ ...build, signers: [createSigner()] }))
    await page.goto(`${root}/builds`)
    await page.waitFor({ role: 'list', name: 'Builds' })
    await page.chooseFile({ css: 'input[type=file]' }, path)
    await page.waitFor({ role: 'link', name: 'Open the build' })
    assert.match(await page.read('document.querySelector("[aria-label=Uploads]").innerText'), /3\.0 \(400\)/)
    await show('upload')
    await page.click({ role: 'link', name: 'Open the build' })
    await page.waitFor({ role: 'heading', name: 'Pilot 3.0 (400)' })
    await show('uploaded')
  })

  it("opens a trace of Playwright in Playwright's viewer", { skip: skipChromium }, async () => {
    await using chromium = await startChromium()
    const call = async <Answer>(path: string, init?: { method: string; body: string | Uint8Array<ArrayBuffer> }) => {
      const headers = { 'X-Service-Token': workspace.apiToken, 'X-Service-Application-Alias': 'pilot' }
      return readAnswer<Answer>(await fetch(`${fresh.baseUrl}${path}`, { headers, ...init }))
    }
    const body = new Uint8Array(await recordReport(chromium))
    const { run } = await call<TestReport>('/v1/testReports', { method: 'POST', body })
    await call(`/v1/testRuns/${run.id}/complete`, { method: 'POST', body: '' })
    const [failure] = await call<TestResult[]>(`/v1/testRuns/${run.id}/results`)
    await page.goto(`${root}/tests/${failure?.testId}`)
    await page.waitFor({ role: 'link', name: 'Open the trace' })
    await show('failure')
    await page.goto(await page.read('document.querySelector("a[href*=trace-viewer]").href'))
    await page.waitFor({ text: 'Set content' })
    await page.click({ text: 'Click' })
    await page.waitFor({ css: 'iframe.snapshot-visible' })
    await show('trace')
    assert.equal(await page.read('globalThis.broken'), 'undefined', 'a recorded script does not run')
  })

  it('runs without an error of a script', () => {
    // zod tries whether it may compile schemas, and Firefox logs the refusal that it catches.
    const isOfZod = (text: string) => text.startsWith('Content-Security-Policy') && text.includes('JavaScript eval')
    // A page that is left ends its stream of live events, which Firefox logs as well.
    const isOfStream = (text: string) => text.startsWith('Failed to read data from the ReadableStream')
    // The same goes for a font that has not arrived yet; the number is NS_BINDING_ABORTED.
    const isOfFont = (text: string) => /^downloadable font: download failed .* status=2152398850\b/.test(text)
    assert.deepEqual(
      firefox.complaints.filter((text) => !isOfZod(text) && !isOfStream(text) && !isOfFont(text)),
      [],
    )
  })
})
