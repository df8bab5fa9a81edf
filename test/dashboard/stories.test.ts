import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createSigner, writeApk, writeIcon } from '@fairlead/binary/fixture'
import type { Page } from 'playwright-core'
import { type MailServer, startMailServer } from '../../apps/server/src/testing/mail-server.ts'
import { writeTombstone } from '../../packages/symbols/test/write-tombstone.ts'
import { findBarriers } from './accessibility.ts'
import { type Chromium, dropFile, skip, startChromium } from './chromium.ts'
import { type FreshServer, password, startFreshServer } from './first-start.ts'

const mapping = `# compiler: R8
com.example.pilot.MainActivity -> a.b:
# {"id":"sourceFile","fileName":"MainActivity.kt"}
    1:1:void openChart(int):42:42 -> a
    1:1:void onCreate(android.os.Bundle):20 -> a
    2:5:void render():88:91 -> c
`

const crash = `java.lang.IllegalStateException: no chart
\tat a.b.c(SourceFile:3)
\tat a.b.a(SourceFile:1)
\tat android.os.Looper.loop(Looper.java:257)
`

const signer = createSigner()

function writeBuild(versionCode: number, permissions: string[]): Buffer {
  return writeApk({
    packageName: 'com.example.pilot',
    label: 'Pilot',
    versionCode,
    versionName: `1.${versionCode}`,
    permissions,
    signers: [signer],
    icon: writeIcon(96, [12, 122, 140]),
  })
}

describe('a team and its first weeks with Fairlead', { skip, timeout: 900_000 }, () => {
  let mailServer: MailServer
  let fresh: FreshServer
  let chromium: Chromium
  let page: Page
  let token: string

  before(async () => {
    mailServer = await startMailServer()
    fresh = await startFreshServer({ FAIRLEAD_SMTP_URL: mailServer.url })
    chromium = await startChromium()
    page = await chromium.openPage({ baseURL: fresh.baseUrl, permissions: ['clipboard-read', 'clipboard-write'] })
  })

  after(async () => {
    await chromium?.[Symbol.asyncDispose]()
    await fresh?.[Symbol.asyncDispose]()
    await mailServer?.[Symbol.asyncDispose]()
  })

  // Each part continues where the previous one ended.
  let isBroken = false
  const story = (name: string, tell: () => Promise<void> | void): void => {
    void it(name, async () => {
      assert.ok(!isBroken, 'an earlier part failed')
      isBroken = true
      await tell()
      isBroken = false
    })
  }

  story('sets the server up with the link from its log, and gets a token', async () => {
    await page.goto(fresh.setUpUrl)
    await page.getByLabel('Your name').fill('Ada Lovelace')
    await page.getByRole('textbox', { name: 'E-mail address' }).fill('ada@example.com')
    await page.getByRole('textbox', { name: 'Password' }).fill(password)
    await page.getByLabel('Workspace').fill('Harbor Labs')
    assert.deepEqual(await findBarriers(page), [])
    await page.getByRole('button', { name: 'Set up' }).click()
    token = await page.getByRole('textbox', { name: 'API token' }).inputValue()
    assert.match(token, /^fl_[\w-]{32,}$/)
    assert.equal((await callApi('/v1/applications', token)).status, 200)
    await page.getByRole('link', { name: 'Go to the applications' }).click()
    await page.getByRole('heading', { name: 'No applications yet' }).waitFor()
  })

  story('cannot use that link a second time', async () => {
    const other = await chromium.openPage({ baseURL: fresh.baseUrl })
    await other.goto(fresh.setUpUrl)
    await other.getByRole('heading', { name: 'Already set up' }).waitFor()
    assert.equal(await other.getByRole('textbox').count(), 0)
    await other.getByRole('link', { name: 'Sign in' }).click()
    await other.getByRole('button', { name: 'Sign in' }).waitFor()
    await other.context().close()
  })

  story('creates an application by keyboard alone', async () => {
    const button = page.getByRole('button', { name: 'New application' })
    await button.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.type('Pilot for Android')
    assert.equal(await page.getByLabel('Alias').inputValue(), 'pilot-for-android')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Pilot for Android' }).waitFor()
  })

  story('shows beside the field that an alias is taken, and keeps the typed text', async () => {
    await page.getByRole('link', { name: 'Applications' }).first().click()
    await page.getByRole('button', { name: 'New application' }).click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Pilot for Android')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByText('Another application of the workspace has this alias').waitFor()
    assert.equal(await page.getByRole('textbox', { name: 'Name', exact: true }).inputValue(), 'Pilot for Android')
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Pilot for Android' }).click()
  })

  story('copies the alias, and shows the commands of an upload', async () => {
    await page.getByRole('button', { name: 'Copy the alias' }).click()
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), 'pilot-for-android')
    await page.getByRole('link', { name: 'Upload from CI' }).first().click()
    const lines = await page.getByRole('region', { name: 'the upload', exact: true }).innerText()
    assert.match(lines, /X-Service-Application-Alias: pilot-for-android/)
    assert.match(lines, new RegExp(`POST "${fresh.baseUrl}/v2/builds"`))
  })

  story('uploads an APK that is dropped on the list of builds', async () => {
    await page.getByRole('link', { name: 'Builds', exact: true }).click()
    await page.getByRole('heading', { name: 'No builds yet' }).waitFor()
    const permissions = ['android.permission.INTERNET']
    await dropFile(page, '[data-testid=drop-area]', { name: 'pilot-1.apk', content: writeBuild(1, permissions) })
    await page.getByRole('link', { name: '1.1 (1)' }).waitFor()
    const second = writeBuild(2, [...permissions, 'android.permission.CAMERA'])
    await dropFile(page, '[data-testid=drop-area]', { name: 'pilot-2.apk', content: second })
    await page.getByRole('link', { name: '1.2 (2)', exact: true }).waitFor()
  })

  story('says why a file cannot be read as a build', async () => {
    const content = Buffer.from('this is no package')
    await dropFile(page, '[data-testid=drop-area]', { name: 'notes.txt', content })
    await page
      .getByRole('region', { name: 'Uploads' })
      .getByRole('alert')
      .getByText(/zip|APK/)
      .waitFor()
    await page.getByRole('button', { name: 'Dismiss notes.txt' }).click()
  })

  story('keeps the search in the URL', async () => {
    await page.getByLabel('Search builds', { exact: true }).fill('1.2')
    await page.waitForURL(/q=/)
    await page.getByText('1 matching build').waitFor()
    await page.reload()
    assert.equal(await page.getByLabel('Search builds', { exact: true }).inputValue(), '1.2')
    await page.getByText('1 matching build').waitFor()
    assert.equal(await page.getByRole('link', { name: '1.1 (1)' }).count(), 0)
    await page.getByLabel('Search builds', { exact: true }).fill('nothing like it')
    await page.getByRole('heading', { name: 'No build matches' }).waitFor()
    await page.getByRole('link', { name: 'Show all builds' }).click()
    await page.getByRole('link', { name: '1.2 (2)', exact: true }).click()
  })

  story('shows which permissions are new in a build', async () => {
    const panel = page.getByRole('region', { name: 'Since the previous build' })
    await panel.getByText('New permissions').waitFor()
    await panel.getByText('CAMERA').waitFor()
    await page.getByText('v2 (verified)').waitFor()
  })

  story('edits the release notes with a preview', async () => {
    await page.getByRole('button', { name: 'Write release notes' }).click()
    await page.getByLabel('Release notes in Markdown').fill('Charts work **offline**')
    await page.getByText('Preview', { exact: true }).click()
    await page.locator('strong', { hasText: 'offline' }).waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Edit the release notes' }).waitFor()
    assert.equal(await page.locator('strong', { hasText: 'offline' }).count(), 1)
  })

  story('creates a group and pastes its testers, with a preview of the errors', async () => {
    await page.getByRole('link', { name: 'Groups' }).click()
    await page.getByRole('button', { name: 'New group' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Beta')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('button', { name: 'Add testers' }).first().click()
    const text = 'Grace Hopper <grace@example.com>, linus@example.org\ngrace@example.com; not-an-address'
    await page.getByLabel('Mail addresses').fill(text)
    await page.getByText('2 testers will be added.').waitFor()
    await page.getByText('Named twice or in the group already: grace@example.com').waitFor()
    await page.getByText('1 entry is no mail address and will be left out: not-an-address').waitFor()
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByText('Grace Hopper').waitFor()
    await page.getByText('linus@example.org').waitFor()
  })

  story('distributes a build with mails, with a preview of the recipients', async () => {
    await openNewestBuild()
    await page.getByRole('button', { name: 'Distribute' }).click()
    await page.getByRole('checkbox', { name: 'Beta' }).check()
    await page.getByText('2 testers will get a mail with a personal install link:').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Distribute' }).click()
    await page.getByRole('region', { name: 'Distributed to' }).getByText('Beta').waitFor()
  })

  story('lets a tester install from the mail, on a phone', async () => {
    const mail = await mailServer.waitForMail('grace@example.com')
    const link = /http:\/\/localhost:\d+\/install\/[\w-]+\/for\/[\w.-]+/.exec(mail.decoded)?.[0]
    assert.ok(link, mail.decoded)
    const phone = await chromium.openPage({
      viewport: { width: 360, height: 740 },
      hasTouch: true,
      userAgent: 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36',
    })
    await phone.goto(link)
    await phone.getByText('offline').waitFor()
    const binary = await phone.locator('a[href*="/binary/"]').first().getAttribute('href')
    const response = await fetch(new URL(binary ?? '', link))
    assert.equal(response.headers.get('content-type'), 'application/vnd.android.package-archive')
    assert.deepEqual(Buffer.from(await response.arrayBuffer()).subarray(0, 2), Buffer.from('PK'))
    await phone.context().close()
  })

  story('counts that install for the tester', async () => {
    await page.reload()
    const panel = page.getByRole('region', { name: 'Installs', exact: true })
    await panel.getByText('grace@example.com').waitFor()
    await panel.getByText('1 install in all').waitFor()
    await panel.getByText('As a table').click()
    await panel.getByRole('columnheader', { name: 'From a downloaded file' }).waitFor()
    await panel.getByRole('row').nth(1).getByText('1', { exact: true }).waitFor()
  })

  story('shows in the outbox that the mails were sent', async () => {
    await page.getByRole('link', { name: 'Outbox' }).click()
    await page.getByText('To grace@example.com').waitFor()
    await page.getByText('Sent', { exact: true }).first().waitFor()
    await page.getByRole('button', { name: /^Read .* to grace@example.com$/ }).click()
    await page.getByRole('region', { name: 'the mail’s text' }).getByText('/install/').waitFor()
    await page.keyboard.press('Escape')
  })

  story('symbolicates a crash with the mapping of its build', async () => {
    await page.getByRole('link', { name: 'Applications' }).first().click()
    await page.getByRole('link', { name: 'Pilot for Android' }).click()
    await page.getByRole('link', { name: 'Symbols', exact: true }).click()
    await page.getByRole('heading', { name: 'No symbols yet' }).waitFor()
    await dropFile(page, '[data-testid=drop-area]', { name: 'mapping.txt', content: Buffer.from(mapping) })
    await page.getByLabel('Build', { exact: true }).selectOption({ label: '1.2 (2)' })
    await page.getByRole('button', { name: 'Upload', exact: true }).click()
    await page.getByRole('list', { name: 'Symbols files' }).getByText('1.2 (2)').waitFor()
    await page.getByRole('link', { name: 'Read a crash' }).click()
    await page.getByLabel('Crash report').fill(crash)
    await page.getByRole('button', { name: 'Read the crash' }).click()
    await page.getByText('com.example.pilot.MainActivity.openChart').waitFor()
    await page.getByText('MainActivity.kt:42').waitFor()
    await page.getByText('Inlined').waitFor()
    assert.deepEqual(await findBarriers(page), [])
    await page.getByRole('button', { name: 'Copy as text' }).click()
    const copied = await page.evaluate<string>('navigator.clipboard.readText()')
    assert.match(copied, /at com\.example\.pilot\.MainActivity\.openChart\(MainActivity\.kt:42\)/)
  })

  story('symbolicates a crash that is dropped as a file', async () => {
    await page.reload()
    await dropFile(page, '[data-testid=drop-area]', { name: 'crash.txt', content: Buffer.from(crash) })
    await page.getByText('com.example.pilot.MainActivity.render').waitFor()
  })

  story('reads a tombstone as Protocol Buffers that is dropped as a file', async () => {
    await page.reload()
    const frame = { pc: 0xf_ffff, function: 'pilot_draw', file: '/data/app/libpilot.so' }
    const file = { name: 'tombstone_00.pb', content: writeTombstone([frame]) }
    await dropFile(page, '[data-testid=drop-area]', file)
    const result = page.getByRole('region', { name: 'The crash, read' })
    await result.getByText('pilot_draw').first().waitFor()
    await result.getByText('Text', { exact: true }).click()
    await result.getByText('#00 pc 00000000000fffff').waitFor()
  })

  story('revokes a token, and CI is refused from then on', async () => {
    await page.getByRole('link', { name: 'API tokens' }).click()
    await page.getByRole('button', { name: 'New token' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('CI')
    await page.getByRole('button', { name: 'Create' }).click()
    const ciToken = await page.getByRole('textbox', { name: 'API token' }).inputValue()
    await page.getByRole('button', { name: 'Done' }).click()
    assert.equal((await callApi('/v1/applications', ciToken)).status, 200)
    await page.getByRole('button', { name: 'Revoke CI' }).click()
    await page.getByRole('button', { name: 'Revoke it' }).click()
    await page.getByRole('button', { name: 'Revoke CI' }).waitFor({ state: 'detached' })
    const refused = await callApi('/v1/applications', ciToken)
    assert.equal(refused.status, 401)
  })

  story('invites a viewer, who joins and sees only what a viewer may do', async () => {
    await page.getByRole('link', { name: 'Members' }).click()
    await page.getByRole('button', { name: 'Invite' }).click()
    await page.getByLabel('E-mail address').fill('vera@example.com')
    await page.getByRole('dialog').getByLabel('Role').selectOption('viewer')
    await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click()
    await page.getByText('Only it has the link').waitFor()
    assert.equal(await page.getByRole('textbox', { name: 'Invitation link' }).count(), 0)
    const mail = await mailServer.waitForMail('vera@example.com')
    const link = /http:\/\/localhost:\d+\/invitation\?token=[\w-]+/.exec(mail.decoded)?.[0]
    assert.ok(link, mail.decoded)
    await page.getByRole('button', { name: 'Done' }).click()

    const vera = await chromium.openPage({ baseURL: fresh.baseUrl })
    await vera.goto(link)
    await vera.getByLabel('Your name').fill('Vera')
    await vera.getByRole('textbox', { name: 'Password' }).fill(password)
    await vera.getByRole('button', { name: 'Join' }).click()
    await vera.getByRole('link', { name: 'Pilot for Android' }).click()
    await vera.getByRole('link', { name: '1.2 (2)', exact: true }).waitFor()
    for (const name of ['Upload a build', 'New application', 'Settings', 'API tokens', 'Members', 'Outbox']) {
      assert.equal(await vera.getByText(name, { exact: true }).count(), 0, name)
    }
    await vera.getByRole('link', { name: '1.2 (2)', exact: true }).click()
    await vera.getByRole('heading', { name: 'Install link' }).waitFor()
    for (const name of ['Distribute', 'Delete', 'Edit the release notes']) {
      assert.equal(await vera.getByRole('button', { name, exact: true }).count(), 0, name)
    }
    await vera.goto('/tokens')
    await vera.getByRole('heading', { name: 'This page is for administrators' }).waitFor()
    await vera.goto('/workspace')
    await vera.getByText('Install links work for').waitFor()
    assert.equal(await vera.getByRole('button', { name: 'Save' }).count(), 0)
    await vera.context().close()
  })

  story('asks for the alias before it deletes an application', async () => {
    await page.getByRole('link', { name: 'Applications' }).first().click()
    await page.getByRole('button', { name: 'New application' }).click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Mistake')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('button', { name: 'Delete the application' }).click()
    const confirm = page.getByRole('button', { name: 'Delete it' })
    assert.equal(await confirm.isDisabled(), true)
    await page.getByLabel('Type mistake to confirm').fill('mistake')
    await confirm.click()
    await page.getByRole('link', { name: 'Pilot for Android' }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Mistake' }).count(), 0)
  })

  story('signs out, is sent back to the requested page, and resets a forgotten password', async () => {
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.goto('/groups')
    await page.getByRole('textbox', { name: 'E-mail address' }).fill('ada@example.com')
    await page.getByRole('textbox', { name: 'Password' }).fill('not the password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').getByText('The e-mail address or the password is wrong').waitFor()
    await page.getByRole('link', { name: 'Forgot the password?' }).click()
    await page.getByRole('heading', { name: 'Forgot the password?' }).waitFor()
    await page.getByRole('textbox', { name: 'E-mail address' }).fill('ada@example.com')
    await page.getByRole('button', { name: 'Send the link' }).click()
    const mail = await mailServer.waitForMail('ada@example.com')
    const link = /http:\/\/localhost:\d+\/reset\?token=[\w-]+/.exec(mail.decoded)?.[0]
    assert.ok(link, mail.decoded)
    await page.goto(link)
    await page.getByRole('textbox', { name: 'New password' }).fill('another horse entirely')
    await page.getByRole('button', { name: 'Set the password' }).click()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.goto('/groups')
    await page.getByRole('textbox', { name: 'E-mail address' }).fill('ada@example.com')
    await page.getByRole('textbox', { name: 'Password' }).fill('another horse entirely')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Groups' }).waitFor()
  })

  story('switches to another workspace, which shows nothing of the first', async () => {
    await page.getByRole('button', { name: /^Workspace/ }).click()
    await page.getByRole('menuitem', { name: 'New workspace' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Second')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: 'No applications yet' }).waitFor()
    await page.getByRole('button', { name: /^Workspace/ }).click()
    await page.getByRole('menuitem', { name: 'Harbor Labs' }).click()
    await page.getByRole('link', { name: 'Pilot for Android' }).waitFor()
  })

  story('logged no error, violated no policy and sent no request to another host', () => {
    chromium.checkComplaints()
  })

  async function openNewestBuild(): Promise<void> {
    await page.getByRole('link', { name: 'Applications' }).first().click()
    await page.getByRole('link', { name: 'Pilot for Android' }).click()
    await page.getByRole('link', { name: '1.2 (2)', exact: true }).click()
  }

  function callApi(path: string, token: string): Promise<Response> {
    return fetch(fresh.baseUrl + path, { headers: { 'X-Service-Token': token } })
  }
})
