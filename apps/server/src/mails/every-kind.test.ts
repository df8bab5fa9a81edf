import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { join as toPath } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createAccount } from '../accounts/create.ts'
import { openDatabase } from '../db/open.ts'
import { addMember } from '../members/add.ts'
import { createPasswords } from '../passwords/passwords.ts'
import { grantServerAdmin } from '../server-admin/grant.ts'
import { join, password, signIn } from '../testing/browser.ts'
import { type HookReceiver, startHookReceiver } from '../testing/hook-receiver.ts'
import { type IdentityProvider, startIdentityProvider } from '../testing/identity-provider.ts'
import { type MailServer, type ReceivedMail, startMailServer } from '../testing/mail-server.ts'
import { ProviderBrowser } from '../testing/provider-browser.ts'
import { sendFeedback } from '../testing/send-feedback.ts'
import { startServer, type TestServer } from '../testing/start-server.ts'
import { createApplication, uploadApk } from '../testing/upload.ts'

const day = 24 * 60 * 60 * 1000
const oneClick = 'List-Unsubscribe=One-Click'

/** Every kind of mail: the file that writes it, what only it says, and whether it is for a tester. */
const kinds: { file: string; says: RegExp; isForTester?: boolean }[] = [
  { file: 'builds/notify-testers.ts', says: /is ready to test/, isForTester: true },
  { file: 'builds/notify-testers.ts', says: /still waits for your test/, isForTester: true },
  { file: 'invitations/create.ts', says: /Join default on Fairlead/ },
  { file: 'password-resets/send.ts', says: /Choose a new password/ },
  { file: 'hooks/finish.ts', says: /The hook “Chat” was turned off/ },
  { file: 'retention/announce.ts', says: /New rules will remove builds/ },
  { file: 'retention/digest.ts', says: /Builds that rules removed this week/ },
  { file: 'alerts/mail-alerts.ts', says: /The chart is empty/ },
  { file: 'identities/tell-owner.ts', says: /You signed in through Corp for the first time/ },
  { file: 'sessions/password-mail.ts', says: /signed in with a password/ },
  { file: 'mails/send-test.ts', says: /Mails from Fairlead arrive/ },
]

describe('every kind of mail', { timeout: 300_000 }, () => {
  const opened = new AsyncDisposableStack()
  let mails: MailServer
  let receiver: HookReceiver
  let provider: IdentityProvider
  let server: TestServer

  before(async () => {
    mails = opened.use(await startMailServer())
    receiver = opened.use(await startHookReceiver())
    provider = opened.use(await startIdentityProvider())
    server = opened.use(
      await startServer({
        FAIRLEAD_SMTP_URL: mails.url,
        FAIRLEAD_HOOKS_ALLOW: receiver.host,
        FAIRLEAD_OIDC_PROVIDERS: JSON.stringify([provider.entry()]),
      }),
    )
  })
  after(() => opened.disposeAsync())

  const call = async (method: string, path: string, json?: unknown) => {
    const answer = await server.call(method, path, json === undefined ? {} : { json })
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`)
    return answer.json
  }

  it('is known to this test', async () => {
    const src = toPath(import.meta.dirname, '..')
    const writers = new Set<string>()
    for await (const file of glob('**/*.ts', { cwd: src })) {
      if (file.endsWith('.test.ts') || file === 'mails/enqueue.ts') continue
      if (/\benqueueMails\(/.test(await readFile(toPath(src, file), 'utf8'))) writers.add(file)
    }
    assert.deepEqual([...writers].toSorted(), [...new Set(kinds.map(({ file }) => file))].toSorted())
  })

  it('to a tester is unsubscribed by the button of the mail program, and no other has that button', async () => {
    await join(server, { email: 'admin@example.com', role: 'admin', mailServer: mails })
    const application = await createApplication(server, 'shop')
    const group = await call('POST', '/v1/distributionGroups', { name: 'Beta' })
    const builds = [
      await uploadApk(server, { alias: 'shop' }),
      await uploadApk(server, { alias: 'shop', apk: { versionCode: 2 } }),
    ]
    const emails = ['told@example.com', 'reminded@example.com']
    for (const email of emails) await call('POST', `/v1/distributionGroups/${group.id}/testers`, { emails: [email] })
    const [build] = builds
    assert.ok(build)
    const given = { distributionGroupIds: [group.id], notifyTesters: true }
    await call('POST', `/v1/builds/${build.id}/distribute`, given)
    await receive((mail) => mail.recipients.includes('reminded@example.com'))
    await call('POST', `/v1/builds/${build.id}/remind`, { states: ['told'] })

    await call('POST', '/v1/mails/test', { recipient: 'admin@example.com' })
    await call('POST', '/v1/invitations', { email: 'guest@example.com', role: 'viewer' })
    await server.call('POST', '/v1/passwordResets', { token: null, json: { email: 'admin@example.com' } })
    receiver.answerWith((response) => response.writeHead(410).end())
    const hook = await call('POST', '/v1/hooks', { name: 'Chat', url: receiver.url, events: ['*'] })
    await call('POST', `/v1/hooks/${hook.id}/test`)
    for (const rule of await call('GET', `/v1/applications/${application.id}/alertRules`)) {
      if (rule.kind === 'feedback') await call('PATCH', `/v1/alertRules/${rule.id}`, { digestMinutes: 0 })
    }
    await sendFeedback(server, build.installUrl, { text: 'The chart is empty' })
    await call('PUT', '/v1/groupRoles', [{ provider: 'corp', group: 'all', role: 'viewer' }])
    const { providers } = await call('GET', '/v1/signInOptions')
    provider.register(new URL(providers[0].startUrl).origin)
    provider.people.set('new', { name: 'New', email: 'new@example.com', email_verified: true, groups: ['all'] })
    await new ProviderBrowser(server, provider).signIn('new')
    await removeBuilds(application.id)
    await signInByPassword()

    const found = new Map<(typeof kinds)[number], ReceivedMail>()
    for (const kind of kinds) found.set(kind, await receive((mail) => kind.says.test(mail.decoded)))
    for (const [{ isForTester = false, file }, mail] of found) {
      const head = readHead(mail)
      const address = /^List-Unsubscribe: <(\S+)>$/m.exec(head)?.[1]
      assert.equal(address !== undefined, isForTester, `${file}: ${head}`)
      assert.equal(/^List-Unsubscribe-Post: (.*)$/m.exec(head)?.[1], isForTester ? oneClick : undefined, file)
      assert.equal(/\/unsubscribe\//.test(mail.decoded), isForTester, file)
    }
    // The button of a mail program: no cookie, no page before it, only this form.
    for (const [{ isForTester = false }, mail] of found) {
      if (!isForTester) continue
      const [email = ''] = mail.recipients
      const { pathname } = new URL(/^List-Unsubscribe: <(\S+)>$/m.exec(readHead(mail))?.[1] ?? '')
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
      await server.call('GET', pathname, { token: null })
      assert.equal(await isUnsubscribed(email), false, 'to look changes nothing')
      const off = await server.call('POST', pathname, { token: null, headers, body: oneClick })
      assert.equal(off.status, 200)
      assert.equal(await isUnsubscribed(email), true)
      await server.call('POST', pathname, { token: null, headers, body: 'subscribe=1' })
    }
  })

  const isUnsubscribed = async (email: string): Promise<boolean> =>
    (await call('GET', '/v1/testers')).find((tester: { email: string }) => tester.email === email).isUnsubscribed

  async function receive(isWanted: (mail: ReceivedMail) => boolean): Promise<ReceivedMail> {
    for (let waited = 0; waited < 600; waited++) {
      const found = mails.mails.find(isWanted)
      if (found) return found
      await sleep(50)
    }
    const subjects = mails.mails.map(readSubject)
    throw new Error(`the mail did not come; these did: ${subjects.join(' | ')} (${String(isWanted)})`)
  }

  /** Lets rules remove an old build, and the week of the digest pass. */
  async function removeBuilds(applicationId: number): Promise<void> {
    const { db } = await openDatabase(server)
    try {
      await db
        .updateTable('builds')
        .set({ uploaded_at: Date.now() - 100 * day })
        .execute()
      await db.deleteFrom('build_groups').execute()
      const rules = [{ branches: ['*'], maxAgeDays: 30, keepNewest: null }]
      const saved = { isEnabled: true, rules, keepDistributedDays: 0 }
      await call('PUT', `/v1/applications/${applicationId}/retention`, saved)
      const run = await call('POST', `/v1/applications/${applicationId}/retention/runs`)
      while ((await call('GET', `/v1/retentionRuns/${run.id}`)).state === 'running') await sleep(50)
      assert.equal((await call('GET', `/v1/retentionRuns/${run.id}`)).trashedCount, 1)
      await db.updateTable('jobs').set({ run_at: 1 }).where('kind', '=', 'plan-retention').execute()
      // It wakes the worker, which otherwise looks for jobs that are due every few seconds.
      await call('POST', `/v1/applications/${applicationId}/trash/empty`)
    } finally {
      await db.destroy()
    }
  }

  /** An administrator signs in at a server whose passwords are for its administrators only. */
  async function signInByPassword(): Promise<void> {
    const strict = opened.use(
      await startServer({
        FAIRLEAD_SMTP_URL: mails.url,
        FAIRLEAD_OIDC_PROVIDERS: JSON.stringify([provider.entry()]),
        FAIRLEAD_PASSWORD_SIGN_IN: 'server-admins',
      }),
    )
    const { db } = await openDatabase(strict)
    for (const name of ['root', 'second']) {
      const passwordHash = await createPasswords().hash(password)
      const account = await createAccount(db, { email: `${name}@example.com`, name, passwordHash, isVerified: true })
      await addMember(db, 1, account.id, 'admin')
      await grantServerAdmin(db, account.email, true)
    }
    await db.destroy()
    await signIn(strict, 'root@example.com')
  }
})

function readHead({ raw }: ReceivedMail): string {
  const [head = ''] = raw.split('\r\n\r\n')
  return head.replaceAll(/\r\n[ \t]+/g, ' ').replaceAll('\r\n', '\n')
}

function readSubject(mail: ReceivedMail): string {
  return /^Subject: (.*)$/m.exec(readHead(mail))?.[1] ?? ''
}
