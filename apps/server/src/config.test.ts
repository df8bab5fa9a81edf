import assert from 'node:assert/strict'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { ConfigError, readConfig } from './config.ts'

for (const [name, values] of [
  ['FAIRLEAD_TRUST_PROXY', ['yes', 'banana', '10.0.0.1,', '10.0.0.0/33', '1']],
  ['FAIRLEAD_HOOKS_ALLOW', ['10.0.0.0/33', 'http://chat.lan', 'chat.lan:0']],
  ['FAIRLEAD_HOOK_RETRY_SECONDS', ['soon', '1,,2', '-1', Array(21).fill('1').join(',')]],
  ['FAIRLEAD_HOOK_DISABLE_SECONDS', ['5 days', '-1']],
  [
    'FAIRLEAD_SECRETS_KEY',
    ['secret', 'A'.repeat(43), `${'A'.repeat(42)}B=`, `${'A'.repeat(43)}=,`, 'A'.repeat(86) + '=='],
  ],
  [
    'FAIRLEAD_OIDC_PROVIDERS',
    [
      'corp',
      '{}',
      toProviders({ key: 'Corp' }),
      toProviders({ key: 'password' }),
      toProviders({ issuer: 'http://login.example.com' }),
      toProviders({ issuer: 'https://login.example.com/?tenant=1' }),
      toProviders({ issuer: 'https://login.microsoftonline.com/common/v2.0' }),
      toProviders({ clientSecret: undefined }),
      toProviders({ clientSecretFile: '/nowhere/secret' }),
      toProviders({ scopes: 'email' }),
      toProviders({ domains: ['@example.com'] }),
      toProviders({ linkByEmail: true }),
      toProviders({ clientID: 'x' }),
      toProviders({}, {}),
    ],
  ],
  ['FAIRLEAD_OIDC_PROVIDERS_FILE', ['/nowhere/providers.json']],
  ['FAIRLEAD_OIDC_SESSION_HOURS', ['0', 'long']],
  ['FAIRLEAD_PASSWORD_SIGN_IN', ['off', 'server-admins']],
  ['FAIRLEAD_BASE_URL', ['https://x.example/?a=b', 'https://x.example/#top', 'https://user:secret@x.example']],
] as const) {
  it(`refuses an unusable ${name}`, () => {
    for (const value of values) {
      assert.throws(
        () => readConfig({ [name]: value }),
        (error) =>
          error instanceof ConfigError && error.faults.length === 1 && error.faults[0]?.startsWith(name) === true,
        value,
      )
    }
  })
}

it('accepts addresses, networks and their predefined names as trusted proxies', () => {
  for (const value of ['true', '10.0.0.1', '10.0.0.0/8, ::1', 'loopback,uniquelocal', 'fd00::/8']) {
    assert.ok(readConfig({ FAIRLEAD_TRUST_PROXY: value }).trustProxy)
  }
})

describe('the settings', () => {
  it('all have defaults', () => {
    const config = readConfig({})
    assert.equal(config.host, '127.0.0.1')
    assert.equal(config.port, 8080)
    assert.equal(config.baseUrl, 'http://localhost:8080')
    assert.equal(config.dataDir, './data')
    assert.equal(config.databaseUrl, null)
    assert.equal(config.maxUploadBytes, 4 * 2 ** 30)
    assert.equal(config.initialApiToken, null)
  })

  it('count as unset when they are empty', () => {
    assert.equal(readConfig({ FAIRLEAD_PORT: '', FAIRLEAD_SMTP_URL: '' }).port, 8080)
  })

  it('drop the trailing slash of the base URL', () => {
    assert.equal(readConfig({ FAIRLEAD_BASE_URL: 'https://builds.example.com/' }).baseUrl, 'https://builds.example.com')
  })

  it('report every wrong value at once, and unknown names too', () => {
    const env = {
      FAIRLEAD_PORT: 'eighty',
      FAIRLEAD_BASE_URL: 'builds.example.com',
      FAIRLEAD_DATABASE_URL: 'mysql://localhost/x',
      FAIRLEAD_INITIAL_API_TOKEN: 'secret',
      FAIRLEAD_STORAGE_URL: 's3://bucket?endpoint=s3.example.com',
      FAIRLEAD_LOG_LEVEL: 'loud',
      FAIRLEAD_PROT: '8080',
    }
    assert.throws(
      () => readConfig(env),
      (error) => {
        assert.ok(error instanceof ConfigError)
        for (const name of Object.keys(env)) assert.match(error.message, new RegExp(`^  ${name} `, 'm'))
        assert.doesNotMatch(error.message, /secret/)
        return true
      },
    )
  })

  it('choose the server, the object store or the front server as the sender of downloads', () => {
    const store = 's3://builds?endpoint=https://s3.example.com'
    assert.deepEqual(readConfig({}).delivery, { kind: 'server' })
    assert.deepEqual(readConfig({ FAIRLEAD_STORAGE_URL: store }).delivery, { kind: 'redirect' })
    assert.deepEqual(readConfig({ FAIRLEAD_STORAGE_URL: store, FAIRLEAD_DOWNLOADS: 'server' }).delivery, {
      kind: 'server',
    })
    assert.deepEqual(readConfig({ FAIRLEAD_ACCEL: 'x-accel-redirect:/internal/' }).delivery, {
      kind: 'frontServer',
      header: 'x-accel-redirect',
      prefix: '/internal/',
    })
    assert.deepEqual(readConfig({ FAIRLEAD_ACCEL: 'x-sendfile', FAIRLEAD_DATA_DIR: '/srv/fairlead' }).delivery, {
      kind: 'frontServer',
      header: 'x-sendfile',
      prefix: '/srv/fairlead/blobs/',
    })
  })

  it('ignore what Kubernetes sets for a Service named fairlead, and name it', () => {
    const links = {
      FAIRLEAD_PORT: 'tcp://10.96.0.7:80',
      FAIRLEAD_SERVICE_HOST: '10.96.0.7',
      FAIRLEAD_SERVICE_PORT: '80',
      FAIRLEAD_SERVICE_PORT_HTTP: '80',
      FAIRLEAD_PORT_80_TCP: 'tcp://10.96.0.7:80',
      FAIRLEAD_PORT_80_TCP_PROTO: 'tcp',
      FAIRLEAD_PORT_80_TCP_PORT: '80',
      FAIRLEAD_PORT_80_TCP_ADDR: '10.96.0.7',
      FAIRLEAD_TEST_DB_SERVICE_HOST: 'fd00::7',
    }
    const config = readConfig(links)
    assert.deepEqual(config.serviceLinks, Object.keys(links))
    assert.equal(config.port, 8080)
    assert.equal(readConfig({ FAIRLEAD_PORT: '9000' }).port, 9000)
    for (const env of [
      { FAIRLEAD_PORT: 'tcp' },
      { FAIRLEAD_SERVICE_HOST: 'somewhere' },
      { FAIRLEAD_SERVICE_PORT: 'http' },
      { FAIRLEAD_EXPORT: 'tcp' },
    ]) {
      assert.throws(() => readConfig(env), ConfigError)
    }
  })

  it('may stand beside the variables of the command line', () => {
    const config = readConfig({ FAIRLEAD_URL: 'http://localhost:8080', FAIRLEAD_TOKEN: 'fl_x', FAIRLEAD_PORT: '9000' })
    assert.deepEqual([config.port, config.serviceLinks], [9000, []])
    assert.throws(() => readConfig({ FAIRLEAD_URLS: 'http://localhost:8080' }), ConfigError)
  })

  it('are refused when they contradict each other', () => {
    for (const env of [
      { FAIRLEAD_STORAGE_URL: 's3://builds', FAIRLEAD_ACCEL: 'x-sendfile' },
      { FAIRLEAD_DOWNLOADS: 'redirect' },
      { FAIRLEAD_ACCEL: 'x-accel-redirect:internal' },
    ]) {
      assert.throws(() => readConfig(env), ConfigError)
    }
  })
})

/** The setting with providers that differ from a right one. */
function toProviders(...changes: Record<string, unknown>[]): string {
  const right = { key: 'corp', name: 'Corp', issuer: 'https://login.example.com', clientId: 'x', clientSecret: 'y' }
  return JSON.stringify(changes.map((change) => ({ ...right, ...change })))
}

it('reads providers from a file, and their secrets from files', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'fairlead-config-'))
  const secret = join(folder.path, 'secret')
  const file = join(folder.path, 'providers.json')
  await writeFile(secret, 'kept apart\n')
  await writeFile(file, toProviders({ clientSecret: undefined, clientSecretFile: secret, domains: ['Example.com'] }))
  const { oidc } = readConfig({ FAIRLEAD_OIDC_PROVIDERS_FILE: file, FAIRLEAD_PASSWORD_SIGN_IN: 'server-admins' })
  assert.equal(oidc.providers[0]?.clientSecret, 'kept apart')
  assert.deepEqual(oidc.providers[0].domains, ['example.com'])
  assert.equal(oidc.sessionMs, 12 * 3_600_000)
  assert.throws(() => readConfig({ FAIRLEAD_OIDC_PROVIDERS_FILE: file, FAIRLEAD_OIDC_PROVIDERS: '[]' }), ConfigError)
})
