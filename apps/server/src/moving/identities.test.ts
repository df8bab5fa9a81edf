import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { toEmailKey } from '../db/email-key.ts'
import { type Db, openDatabase } from '../db/open.ts'
import { openTarget, otherToken, run, serveAt, toConfig, toDatabase, toTestServer } from '../testing/installations.ts'
import { startServer, type TestServer } from '../testing/start-server.ts'

const issuer = 'https://login.example.com'

it('a workspace moves with its people at a provider, but nobody gets into an account that was there', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fairlead-moving-'))
  try {
    await using server = await startServer()
    await addPerson(server, 'ada@example.com', 'ada')
    await addPerson(server, 'bob@example.com', 'bob')
    await addPerson(server, 'eve@example.com', 'carol')
    await withDatabase(toSettings(server), async (db) => {
      const row = { workspace_id: 1, position: 0, provider: 'corp', group_name: 'mobile', role: 'developer' as const }
      await db.insertInto('group_roles').values(row).execute()
      const [, bob] = await listAccounts(db)
      assert.ok(bob)
      const given = { workspace_id: 1, account_id: bob.id, provider: 'corp', role: 'developer' as const }
      await db.insertInto('member_group_roles').values(given).execute()
      await db
        .updateTable('members')
        .set({ hand_role: null, role: 'developer' })
        .where('account_id', '=', bob.id)
        .execute()
    })
    const archive = join(folder, 'one.tar')
    const source = toConfig({ FAIRLEAD_DATA_DIR: server.dataDir, ...toDatabase(server.databaseUrl) }, server)
    assert.equal((await run(source, 'export', archive, '--workspace', '1')).code, 0)

    await using target = await openTarget(folder)
    {
      await using other = await serveAt(target.config)
      const there = {
        ...toTestServer(other.url, otherToken),
        databaseUrl: target.config.databaseUrl,
        dataDir: target.config.dataDir,
      }
      // The same address with another person behind it, and the same person with another address.
      await addPerson(there, 'ada@example.com', 'ada-there')
      await addPerson(there, 'carol@example.com', 'carol')
    }
    assert.equal((await run(target.config, 'import', archive)).code, 0)
    await withDatabase(target.config, async (db) => {
      const identities = await db
        .selectFrom('identities')
        .innerJoin('accounts', 'accounts.id', 'identities.account_id')
        .select(['accounts.email', 'identities.subject'])
        .orderBy('accounts.email')
        .execute()
      assert.deepEqual(
        identities.map(({ email, subject }) => `${email} ${subject}`),
        ['ada@example.com ada-there', 'bob@example.com bob', 'carol@example.com carol'],
      )
      const roles = await db.selectFrom('group_roles').select(['workspace_id', 'group_name', 'role']).execute()
      assert.deepEqual(
        roles.map((row) => ({ ...row })),
        [{ workspace_id: 2, group_name: 'mobile', role: 'developer' }],
      )
      const given = await db
        .selectFrom('member_group_roles')
        .innerJoin('members', (join) =>
          join
            .onRef('members.account_id', '=', 'member_group_roles.account_id')
            .onRef('members.workspace_id', '=', 'member_group_roles.workspace_id'),
        )
        .innerJoin('accounts', 'accounts.id', 'members.account_id')
        .select(['accounts.email', 'members.workspace_id', 'members.role', 'members.hand_role'])
        .execute()
      assert.deepEqual(
        given.map((row) => ({ ...row })),
        [{ email: 'bob@example.com', workspace_id: 2, role: 'developer', hand_role: null }],
      )
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

type Settings = Parameters<typeof openDatabase>[0]

function toSettings({ databaseUrl, dataDir }: Pick<TestServer, 'databaseUrl' | 'dataDir'>): Settings {
  return { databaseUrl, dataDir }
}

async function withDatabase(settings: Settings, use: (db: Db) => Promise<void>): Promise<void> {
  const { db } = await openDatabase(settings)
  try {
    await use(db)
  } finally {
    await db.destroy()
  }
}

function listAccounts(db: Db): Promise<{ id: number; email: string }[]> {
  return db.selectFrom('accounts').select(['id', 'email']).orderBy('email').execute()
}

/** Makes a member of the first workspace, who has signed in through the provider as `subject`. */
async function addPerson(
  server: Pick<TestServer, 'call' | 'databaseUrl' | 'dataDir'>,
  email: string,
  subject: string,
): Promise<void> {
  const invited = await server.call('POST', '/v1/invitations', { json: { email, role: 'admin' } })
  const token = new URL(invited.json.inviteUrl).searchParams.get('token')
  const person = { token, name: subject, password: 'correct horse battery' }
  assert.equal((await server.call('POST', '/v1/invitations/accept', { json: person })).status, 201)
  await withDatabase(toSettings(server), async (db) => {
    const { id } = await db
      .selectFrom('accounts')
      .select('id')
      .where('email_key', '=', toEmailKey(email))
      .executeTakeFirstOrThrow()
    const now = Date.now()
    const identity = { account_id: id, provider: 'corp', issuer, subject, email, created_at: now, last_used_at: now }
    await db.insertInto('identities').values(identity).execute()
  })
}
