import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { writeApk, writeIpa } from '@fairlead/binary/fixture'
import type { Page } from 'playwright-core'
import { type MailServer, startMailServer } from '../../apps/server/src/testing/mail-server.ts'
import { readJson } from '../../scripts/read-json.ts'
import { openTemporaryFolder, startServerProcess, token as operatorToken } from '../processes/server-process.ts'
import { findBarriers } from './accessibility.ts'
import { type Chromium, dropFile, skip, startChromium } from './chromium.ts'
import { type FreshServer, password } from './first-start.ts'
import { startFreshServerOnEngine } from './on-engine.ts'

describe('the first hour with a server', { skip, timeout: 900_000 }, () => {
  let mailServer: MailServer
  let fresh: FreshServer
  let chromium: Chromium
  let page: Page
  let token: string

  before(async () => {
    mailServer = await startMailServer()
    fresh = await startFreshServerOnEngine({ FAIRLEAD_SMTP_URL: mailServer.url })
    chromium = await startChromium()
    page = await chromium.openPage({ baseURL: fresh.baseUrl })
  })
  after(async () => {
    chromium?.checkComplaints()
    await chromium?.[Symbol.asyncDispose]()
    await fresh?.[Symbol.asyncDispose]()
    await mailServer?.[Symbol.asyncDispose]()
  })

  const stepOf = (title: string) =>
    page
      .getByRole('list', { name: 'Steps' })
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: title }) })

  it('begins with a page that says where the set-up link is', async () => {
    for (const path of ['/', '/sign-in', '/applications']) {
      await page.goto(path)
      await page.getByRole('heading', { name: 'This server is not set up yet' }).waitFor()
    }
    await page.getByText('Set up Fairlead:').waitFor()
    assert.equal(await page.getByText('Forgot the password?').count(), 0)
    assert.deepEqual(await findBarriers(page), [])
  })

  it('goes on with a list of what is open', async () => {
    await page.goto(fresh.setUpUrl)
    await page.getByLabel('Your name').fill('Ada Lovelace')
    await page.getByRole('textbox', { name: 'E-mail address' }).fill('ada@example.com')
    await page.getByRole('textbox', { name: 'Password' }).fill(password)
    await page.getByLabel('Workspace').fill('Harbor Labs')
    await page.getByRole('button', { name: 'Set up' }).click()
    await page.getByRole('link', { name: 'Get started' }).click()
    await stepOf('Phones reach this server').getByText(`No phone can open ${fresh.baseUrl}`).waitFor()
    for (const title of ['Phones reach', 'There is an application', 'CI has a token', 'first build', 'Mails reach']) {
      await stepOf(title).getByLabel('Open', { exact: true }).waitFor()
    }
    assert.deepEqual(await findBarriers(page), [])
  })

  it('sees a phone that opens the code', async () => {
    const address = await page.getByRole('textbox', { name: 'address of the check' }).inputValue()
    const phone = await chromium.openPage({
      viewport: { width: 360, height: 740 },
      userAgent: 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36',
    })
    await phone.goto(address)
    await phone.getByRole('heading', { name: 'This device reaches Fairlead' }).waitFor()
    await phone.context().close()
    await stepOf('Phones reach this server').getByLabel('Done').waitFor()
    await stepOf('Phones reach this server').getByText('Reached from an Android phone').waitFor()
  })

  it('fills token and alias into the lines of each way to upload', async () => {
    await stepOf('There is an application').getByRole('button', { name: 'New application' }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name', exact: true }).fill('Pilot')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await stepOf('There is an application').getByLabel('Done').waitFor()
    await page.getByRole('button', { name: 'Create a token for CI' }).click()
    token = await page.getByRole('textbox', { name: 'API token' }).inputValue()
    assert.match(token, /^fl_/)
    for (const name of ['Command line', 'GitHub', 'GitLab', 'fastlane', 'Gradle']) {
      await page.getByRole('tab', { name }).click()
      const secrets = await page.getByRole('region', { name: `address and token, ${name}` }).innerText()
      assert.ok(secrets.includes(token) && secrets.includes(fresh.baseUrl), secrets)
      assert.match(await page.getByRole('region', { name: `the upload, ${name}` }).innerText(), /\bpilot\b/)
    }
    assert.deepEqual(await findBarriers(page), [])
    await stepOf('first build').getByText('Waiting for your first build').waitFor()
  })

  it('turns green when the first build arrives', async () => {
    const answer = await fetch(`${fresh.baseUrl}/v2/builds`, {
      method: 'POST',
      headers: { 'X-Service-Token': token, 'X-Service-Application-Alias': 'pilot' },
      body: new Uint8Array(writeApk({ versionCode: 7, versionName: '1.0' })),
    })
    assert.equal(answer.status, 201, await answer.text())
    await stepOf('first build').getByLabel('Done').waitFor()
    await stepOf('first build').getByText('Pilot 1.0 (7) is here.').waitFor()
  })

  it('sends a test mail', async () => {
    await page.getByRole('button', { name: 'Send it' }).click()
    await mailServer.waitForMail('ada@example.com')
    await stepOf('Mails reach').getByLabel('Done').waitFor()
    assert.deepEqual(await findBarriers(page), [])
  })

  it('makes an application of a file that is dropped on their list', async () => {
    await page.getByRole('link', { name: 'Applications' }).first().click()
    await page.getByRole('link', { name: 'Pilot' }).waitFor()
    const content = writeIpa({ name: 'Harbour Pilot', bundleIdentifier: 'com.example.harbour' })
    await dropFile(page, '[data-testid=drop-area]', { name: 'harbour.ipa', content })
    const tray = page.getByRole('region', { name: 'Uploads' })
    await tray.getByRole('link', { name: 'its application, harbour-pilot' }).waitFor()
    await page.getByRole('list', { name: 'Applications' }).getByRole('link', { name: 'Harbour Pilot' }).waitFor()
    assert.deepEqual(await findBarriers(page), [])
    await page.getByRole('button', { name: 'Dismiss harbour.ipa' }).click()
    await page.goto('/start')
  })

  it('says beside an install link that nobody else can open it', async () => {
    await page.getByRole('link', { name: 'Open the build' }).click()
    await page.getByRole('region', { name: 'Install link' }).getByText('Only this machine can open this link').waitFor()
  })
})

describe('a server that was started with a token of the operator', { skip, timeout: 900_000 }, () => {
  it('says on its first page how the first person is invited, until there is one', async () => {
    await using folder = await openTemporaryFolder()
    await using server = await startServerProcess({ dataDir: folder.path })
    await using chromium = await startChromium()
    const page = await chromium.openPage({ baseURL: server.url })
    await page.goto('/')
    const command = page.getByRole('region', { name: 'the invitation of the first member' })
    await command.waitFor()
    assert.deepEqual(await findBarriers(page), [])
    const env = { ...process.env, FAIRLEAD_INITIAL_API_TOKEN: operatorToken }
    const { stdout } = await promisify(execFile)('bash', ['-c', await command.innerText()], { env })
    const { inviteUrl } = readJson<{ inviteUrl: string }>(stdout)
    await page.goto(inviteUrl)
    await page.getByLabel('Your name').fill('Ada Lovelace')
    await page.getByRole('textbox', { name: 'Password' }).fill(password)
    await page.getByRole('button', { name: 'Join' }).click()
    await page.getByRole('heading', { name: 'Applications', exact: true }).waitFor()
    const later = await chromium.openPage({ baseURL: server.url })
    await later.goto('/')
    await later.getByRole('heading', { name: 'Sign in' }).waitFor()
    assert.equal(await later.getByText('Nobody has an account').count(), 0)
    chromium.checkComplaints()
  })
})
