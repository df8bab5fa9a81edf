import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join as joinPath } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type Config, ConfigError, readConfig } from '../config.ts'
import { openDatabase } from '../db/open.ts'
import { serve } from '../serve.ts'
import { generateCode } from '../testing/authenticator.ts'
import { join, password } from '../testing/browser.ts'
import { type HookReceiver, startHookReceiver, verify } from '../testing/hook-receiver.ts'
import { openTarget, run, toDatabase } from '../testing/installations.ts'
import { call, type CallOptions, initialToken } from '../testing/start-server.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { forgetLostSecrets } from './forget.ts'

const newKey = () => randomBytes(32).toString('base64')

/** The tests are the life of one installation, in this order. */
describe('Secrets in the database', () => {
  const [first, second] = [newKey(), newKey()]
  let folder: string
  let database: Awaited<ReturnType<typeof createTestDatabase>>
  let receiver: HookReceiver
  let hookSecret: string
  let authenticator: string
  let recoveryCodes: string[]

  before(async () => {
    folder = await mkdtemp(joinPath(tmpdir(), 'fairlead-secrets-'))
    database = await createTestDatabase()
    receiver = await startHookReceiver()
  })
  after(async () => {
    await receiver[Symbol.asyncDispose]()
    await database[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  })

  const toConfig = (keys: string): Config =>
    readConfig({
      FAIRLEAD_DATA_DIR: joinPath(folder, 'data'),
      FAIRLEAD_PORT: '0',
      FAIRLEAD_LOG_LEVEL: 'silent',
      FAIRLEAD_INITIAL_API_TOKEN: initialToken,
      FAIRLEAD_HOOKS_ALLOW: receiver.host,
      FAIRLEAD_SECRETS_KEY: keys,
      ...toDatabase(database.url),
    })

  const start = async (keys: string) => {
    const server = await serve(toConfig(keys))
    return {
      token: initialToken,
      call: (method: string, path: string, options?: CallOptions) => call(server.url, method, path, options),
      [Symbol.asyncDispose]: () => server.close(),
    }
  }

  /** Everything that the tables with secrets hold. */
  const readTables = async ({ dataDir, databaseUrl }: Pick<Config, 'dataDir' | 'databaseUrl'>) => {
    const { db } = await openDatabase({ databaseUrl, dataDir })
    const rows = [
      await db.selectFrom('hooks').selectAll().orderBy('id').execute(),
      await db.selectFrom('accounts').selectAll().execute(),
    ]
    await db.destroy()
    return JSON.stringify(rows)
  }

  const findReadable = (text: string) =>
    [hookSecret.slice(0, 20), 'whsec_', receiver.host, 'chat-secret', 'token=in-the-address', authenticator].filter(
      (secret) => text.includes(secret),
    )

  const testDelivery = async (server: Awaited<ReturnType<typeof start>>) => {
    const count = receiver.deliveries.length
    assert.equal((await server.call('POST', '/v1/hooks/1/test')).status, 202)
    await receiver.waitFor(({ json }) => json.type === 'hook.test', count + 1)
    const last = receiver.deliveries.at(-1)
    assert.ok(last)
    verify(hookSecret, last)
  }

  it('are readable without a key', async () => {
    await using server = await start('')
    const create = (json: object) => server.call('POST', '/v1/hooks', { json: { name: 'A', events: ['*'], ...json } })
    hookSecret = (await create({ url: receiver.url })).json.secret
    const chat = { url: 'https://chat.example.com/?token=in-the-address', format: 'feishu' }
    assert.equal((await create({ ...chat, feishuSecret: 'chat-secret' })).status, 201)
    // A member must not be able to keep the server from starting by a secret that looks encrypted.
    assert.equal((await create({ ...chat, feishuSecret: 'aes-256-gcm:00000000:AAAA' })).status, 201)
    const ada = await join(server, { email: 'ada@example.com', role: 'admin' })
    authenticator = (await ada.call('POST', '/v1/twoFactor', { json: { password } })).json.secret
    const code = generateCode(authenticator)
    recoveryCodes = (await ada.call('POST', '/v1/twoFactor/confirm', { json: { code } })).json.recoveryCodes
    assert.equal(recoveryCodes.length, 10)
    assert.equal(findReadable(await readTables(toConfig(''))).length, 6)
  })

  it('are encrypted at the first start with a key, and go on working', async () => {
    await using server = await start(first)
    assert.deepEqual(findReadable(await readTables(toConfig(first))), [])
    await testDelivery(server)
    const { json: hooks } = await server.call('GET', '/v1/hooks')
    assert.deepEqual(
      hooks.map(({ url }: { url: string }) => url),
      [
        'https://chat.example.com/?token=in-the-address',
        'https://chat.example.com/?token=in-the-address',
        receiver.url,
      ],
    )
    const code = generateCode(authenticator, 1)
    const session = { email: 'ada@example.com', password, code }
    assert.equal((await server.call('POST', '/v1/session', { token: null, json: session })).status, 201)
    const rotated = await server.call('POST', '/v1/hooks/1/rotateSecret')
    await testDelivery(server)
    hookSecret = rotated.json.secret
    await testDelivery(server)
    const moved = `${receiver.url}?token=in-the-address`
    assert.equal((await server.call('PATCH', '/v1/hooks/1', { json: { url: moved } })).json.url, moved)
    assert.deepEqual(findReadable(await readTables(toConfig(first))), [], 'what is written later is encrypted, too')
  })

  it('are moved to an installation with another key', async () => {
    const archive = joinPath(folder, 'all.tar')
    assert.equal((await run(toConfig(first), 'export', archive)).code, 0)
    await using target = await openTarget(folder)
    const config = { ...target.config, hooks: toConfig('').hooks, secretsKeys: toConfig(second).secretsKeys }
    assert.equal((await run(config, 'import', archive)).code, 0)
    assert.deepEqual(findReadable(await readTables(config)), [])
    await using server = await serve(config).then((running) => ({
      call: (method: string, path: string) => call(running.url, method, path),
      token: initialToken,
      [Symbol.asyncDispose]: () => running.close(),
    }))
    await testDelivery(server)
    await assert.rejects(run(toConfig(second), 'export', joinPath(folder, 'no.tar')), /FAIRLEAD_SECRETS_KEY/)
  })

  it('stop the start without their key, and with another one', async () => {
    const id = toConfig(first).secretsKeys[0]?.id ?? 'none'
    for (const keys of ['', second]) {
      await assert.rejects(
        start(keys),
        (error) =>
          error instanceof ConfigError &&
          error.faults[0]?.startsWith('FAIRLEAD_SECRETS_KEY ') === true &&
          error.message.includes(id),
      )
    }
  })

  it('are encrypted anew when the key is changed', async () => {
    {
      await using server = await start(`${second}, ${first}`)
      await testDelivery(server)
    }
    await using server = await start(second)
    await testDelivery(server)
  })

  it('can be given up when the key is lost', async () => {
    const config = toConfig(first)
    const { db } = await openDatabase(config)
    assert.deepEqual(await forgetLostSecrets(db, config), { hookCount: 3, accountCount: 1 })
    await db.destroy()
    await using server = await start(first)
    const { json: hooks } = await server.call('GET', '/v1/hooks')
    assert.deepEqual(
      hooks.map(({ url, isEnabled }: { url: string; isEnabled: boolean }) => [url, isEnabled]),
      hooks.map(() => ['https://lost.invalid/', false]),
    )
    const attempt = (code: string) =>
      server.call('POST', '/v1/session', { token: null, json: { email: 'ada@example.com', password, code } })
    assert.equal((await attempt(generateCode(authenticator, 3))).status, 422)
    assert.equal((await attempt(recoveryCodes[0] ?? '')).status, 201)
    const { json } = await server.call('POST', '/v1/hooks/1/rotateSecret')
    hookSecret = json.secret
    await server.call('PATCH', '/v1/hooks/1', { json: { url: receiver.url, isEnabled: true } })
    await testDelivery(server)
  })
})
