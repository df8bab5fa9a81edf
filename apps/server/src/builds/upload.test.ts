import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { connect } from 'node:net'
import { after, describe, it } from 'node:test'
import { writeIpa, writeZip } from '@fairlead/binary/fixture'
import { Build } from '@fairlead/contract'
import { requireAt } from '@fairlead/invariant'
import { startServer } from '../testing/start-server.ts'
import { createApk, createApplication, uploadApk, uploadBytes, uploadIpa } from '../testing/upload.ts'

describe('an upload', async () => {
  const server = await startServer({ FAIRLEAD_MAX_UPLOAD_BYTES: '3000000', FAIRLEAD_UPLOAD_IDLE_SECONDS: '1' })
  after(() => server[Symbol.asyncDispose]())
  await createApplication(server, 'shop')
  await createApplication(server, 'shop-ios', 'ios')

  const listStaged = () => globSync('staging/*/*', { cwd: server.dataDir })
  const countBuilds = async () => {
    const { json } = await server.call('GET', '/v1/applications')
    const applications: { buildCount: number }[] = json
    return applications.reduce((sum, { buildCount }) => sum + buildCount, 0)
  }

  /** Runs an upload that must fail, and checks that it leaves no blob and no build. */
  async function expectNothingLeft(attempt: () => Promise<unknown>) {
    const before = { blobs: await server.listBlobs(), builds: await countBuilds() }
    await attempt()
    for (let wait = 0; listStaged().length > 0 && wait < 100; wait++) {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    assert.deepEqual({ blobs: await server.listBlobs(), builds: await countBuilds() }, before)
    assert.deepEqual(listStaged(), [])
  }

  it('creates a build with the metadata of an APK', async () => {
    const bytes = createApk({
      versionCode: 42,
      versionName: '1.2.3',
      minSdk: 24,
      targetSdk: 35,
      permissions: ['android.permission.CAMERA'],
    })
    const build = await uploadBytes(server, bytes, {
      alias: 'shop',
      headers: {
        'Content-Type': 'application/vnd.android.package-archive',
        'Content-Disposition': 'attachment; filename="shop-release.apk"',
        'X-Service-Branch': 'main',
        'X-Service-Commit': 'abc123',
        'X-Service-CI-Url': 'https://ci.example.com/1',
      },
    })
    assert.deepEqual(Build.parse(build), build)
    assert.deepEqual(Object.keys(build).slice(0, 6), [
      'id',
      'shortVersion',
      'version',
      'bundleIdentifier',
      'installUrl',
      'expirationDate',
    ])
    assert.match(build.installUrl, /\/install\/[\w-]{22}$/)
    const lifetime = Date.parse(build.expirationDate) - Date.parse(build.uploadedDate)
    assert.equal(lifetime, 90 * 24 * 60 * 60 * 1000)
    const told = {
      shortVersion: '1.2.3',
      version: '42',
      bundleIdentifier: 'com.example.shop',
      applicationAlias: 'shop',
      platform: 'android',
      name: 'Shop',
      fileName: 'shop-release.apk',
      size: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      uploadedBy: 'initial token',
      isExpired: false,
      releaseNotes: null,
      minOsVersion: '24',
      targetOsVersion: '35',
      permissions: ['android.permission.CAMERA'],
      source: { branch: 'main', commit: 'abc123', ciUrl: 'https://ci.example.com/1' },
    }
    assert.deepEqual({ ...build, ...told }, build)
    assert.equal(build.signing?.certificates[0]?.scheme, 'v2')
    const icon = await fetch(build.iconUrl ?? '')
    assert.equal(icon.headers.get('content-type'), 'image/png')
    const binary = await server.call('GET', new URL(build.downloadUrl).pathname)
    assert.ok(binary.bytes.equals(bytes))
    // A download with a token does not count as an install.
    assert.deepEqual((await server.call('GET', `/v1/builds/${build.id}`)).json, build)
  })

  it('creates a build with the provisioning profile of an IPA', async () => {
    const build = await uploadIpa(server, { alias: 'shop-ios', ipa: { shortVersion: '2.0', version: '7' } })
    assert.equal(build.platform, 'ios')
    assert.equal(build.shortVersion, '2.0')
    assert.equal(build.version, '7')
    assert.equal(build.fileName, 'Shop-2.0-7.ipa')
    assert.equal(build.signing?.profile?.type, 'development')
  })

  it('goes to the application with its bundle identifier, whatever alias was given', async () => {
    await createApplication(server, 'empty')
    const build = await uploadApk(server, { alias: 'empty' })
    assert.equal(build.applicationAlias, 'shop')
  })

  it('gives its identifier to an application that has none yet', async () => {
    const { id } = await createApplication(server, 'fresh')
    await uploadApk(server, { alias: 'fresh', apk: { packageName: 'com.example.fresh' } })
    const { json } = await server.call('GET', `/v1/applications/${id}`)
    assert.equal(json.bundleIdentifier, 'com.example.fresh')
    assert.equal(json.buildCount, 1)
  })

  it('shares the blob of an earlier build with equal bytes, and the last of the builds deletes it', async () => {
    const bytes = createApk({ versionName: 'twice' })
    const [first, second] = await Promise.all([
      uploadBytes(server, bytes, { alias: 'shop' }),
      uploadBytes(server, bytes, { alias: 'shop' }),
    ])
    assert.notEqual(first.id, second.id)
    assert.notEqual(first.installUrl, second.installUrl)
    const copies = async () => (await server.listBlobs()).filter((key) => key.includes(first.sha256)).length
    assert.equal(await copies(), 1)
    assert.equal((await server.call('DELETE', `/v1/builds/${first.id}`)).status, 204)
    assert.equal(await copies(), 1)
    assert.ok((await server.call('GET', `/v1/builds/${second.id}/binary`)).bytes.equals(bytes))
    assert.equal((await server.call('DELETE', `/v1/builds/${second.id}`)).status, 204)
    assert.equal(await copies(), 0)
  })

  it('gets the first answer when it is repeated with its Idempotency-Key, even while the first runs', async () => {
    const bytes = createApk({ versionName: 'retried' })
    const options = { alias: 'shop', headers: { 'Idempotency-Key': 'job-17' } }
    const before = await countBuilds()
    const builds = await Promise.all([1, 2, 3].map(() => uploadBytes(server, bytes, options)))
    builds.push(await uploadBytes(server, bytes, options))
    assert.equal(new Set(builds.map((build) => build.id)).size, 1)
    assert.equal(await countBuilds(), before + 1)
    assert.equal((await server.listBlobs()).filter((key) => key.includes(builds[0]!.sha256)).length, 1)
  })

  it('that is a form is refused with the advice to send the file itself', async () => {
    const form = new FormData()
    form.append('file', new Blob([createApk()]), 'shop.apk')
    const request = new Request(server.url, { method: 'POST', body: form })
    for (const path of ['/v2/builds', '/v2/symbolsFiles', '/v1/testReports']) {
      const { status, json } = await server.call('POST', path, {
        headers: {
          'Content-Type': request.headers.get('content-type') ?? '',
          'X-Service-Application-Alias': 'shop',
          'X-Service-Package': 'com.example.shop',
          'X-Service-Version-Name': '1.0',
          'X-Service-Version-Code': '1',
        },
        body: new Uint8Array(await request.clone().arrayBuffer()),
      })
      assert.equal(status, 422, path)
      assert.match(json.detail, /[^.]\. The request is a form .* curl does with --data-binary @FILE/, path)
    }
    const raw = { 'Content-Type': 'multipart/form-data; boundary=b', 'X-Service-Application-Alias': 'shop-ios' }
    const { status, json } = await server.call('POST', '/v2/builds', {
      headers: raw,
      body: new Uint8Array(createApk()),
    })
    assert.equal(status, 422)
    assert.doesNotMatch(json.detail, /form/, 'the file itself was sent, whatever the header says')
  })

  it('is refused with 422 when its Idempotency-Key was used for another alias, length or digest', async () => {
    await createApplication(server, 'other-shop')
    const bytes = createApk({ versionName: 'first' })
    const headers = { 'Idempotency-Key': 'job-18' }
    await uploadBytes(server, bytes, { alias: 'shop', headers })
    const sameLength = bytes.map((byte, index) => (index === 500 ? byte ^ 1 : byte))
    const attempts = [
      { alias: 'other-shop', body: bytes },
      { alias: 'shop', body: createApk({ versionName: 'much longer' }) },
      { alias: 'shop', body: sameLength },
      { alias: 'shop', body: ReadableStream.from([createApk({ versionName: 'much longer' })]) },
    ]
    const before = await countBuilds()
    for (const { alias, body } of attempts) {
      const answer = await server.call('POST', '/v2/builds', {
        headers: { 'X-Service-Application-Alias': alias, ...headers },
        body,
      })
      assert.equal(answer.status, 422, answer.text)
      assert.equal(answer.json.errors[0].source, 'Idempotency-Key')
      assert.equal(answer.json.errors[0].detail, 'was used for another alias or other bytes')
    }
    assert.equal(await countBuilds(), before)
  })

  it('keeps the details of a build small, whatever the binary contains', async () => {
    const permissions = Array.from({ length: 4100 }, (_, index) => `${index}.${'\u0001'.repeat(990)}`)
    const long = Array.from({ length: 1000 }, (_, index) => `com.example.${index}.${'P'.repeat(230)}`)
    const apk = { packageName: 'com.example.details' }
    await createApplication(server, 'details')
    const builds = [
      await uploadApk(server, { alias: 'details', apk: { ...apk, permissions } }),
      await uploadApk(server, { alias: 'details', apk: { ...apk, permissions: long } }),
    ]
    assert.deepEqual(builds[0]?.permissions, [])
    assert.ok((builds[1]?.permissions.length ?? 0) > 50)
    assert.match(builds[1]?.warnings.at(-1) ?? '', /left out, because they are too long/)
    for (const build of builds) assert.ok(JSON.stringify(build).length < 40_000)
  })

  it('accepts an IPA with thousands of images and names the first images without symbols', async () => {
    const machO = (id: number) => {
      const bytes = Buffer.alloc(56)
      for (const [at, value] of [0xfeedfacf, 0x0100000c, 0, 2, 1, 24, 0, 0, 0x1b, 24].entries()) {
        bytes.writeUInt32LE(value, at * 4)
      }
      bytes.writeUInt32LE(id, 40)
      return bytes
    }
    const files = Array.from({ length: 1500 }, (_, index) => ({
      name: `Payload/Sample.app/${index}.dylib`,
      data: machO(index),
      deflate: true,
    }))
    await createApplication(server, 'images', 'ios')
    const build = await uploadIpa(server, { alias: 'images', ipa: { bundleIdentifier: 'com.example.images', files } })
    const { expected = 0, present } = build.symbols ?? {}
    assert.ok(expected >= 499 && expected <= 500, `${expected}`)
    assert.equal(present, 0)
    assert.equal(build.symbols?.missing.length, 100)
    const { json } = await server.call('GET', `/v1/builds/${build.id}`)
    assert.equal(json.symbols.missing.length, 100)
  })

  it('ignores release notes', async () => {
    const build = await uploadApk(server, { alias: 'shop', headers: { 'X-Service-Release-Notes': 'new' } })
    assert.equal(build.releaseNotes, null)
  })

  it('is refused with 400 without an alias and with 404 for an unknown alias', async () => {
    const body = createApk()
    const without = await server.call('POST', '/v2/builds', { body })
    assert.equal(without.status, 400)
    assert.equal(without.json.errors[0].source, 'X-Service-Application-Alias')
    const unknown = await server.call('POST', '/v2/builds', { body, headers: { 'X-Service-Application-Alias': 'no' } })
    assert.equal(unknown.status, 404)
    assert.equal(unknown.json.title, 'Not Found')
    assert.equal(unknown.json.detail, 'No application with the given alias exists in the workspace')
  })

  it('repeats the first answer for its Idempotency-Key only when alias, length and bytes are equal', async () => {
    await server.call('POST', '/v1/applications', { json: { name: 'Twin', alias: 'twin', platform: 'android' } })
    const send = (alias: string, body: Uint8Array<ArrayBuffer>) =>
      server.call('POST', '/v2/builds', {
        headers: { 'X-Service-Application-Alias': alias, 'Idempotency-Key': 'used-once' },
        body,
      })
    const bytes = createApk({ versionCode: 901 })
    const first = await send('shop', bytes)
    assert.equal(first.status, 201)
    assert.equal((await send('shop', bytes)).json.id, first.json.id)
    const sameLength = bytes.slice()
    sameLength[sameLength.length - 1] = (sameLength[sameLength.length - 1] ?? 0) ^ 1
    for (const [alias, body] of [
      ['twin', bytes],
      ['shop', createApk({ versionCode: 902, label: 'Longer name' })],
      ['shop', sameLength],
    ] as const) {
      const answer = await send(alias, body)
      assert.equal(answer.status, 422, answer.text)
      assert.equal(answer.json.errors[0].source, 'Idempotency-Key')
    }
  })

  it('removes line breaks and bidirectional control characters from names', async () => {
    const build = await server.call('POST', '/v2/builds', {
      headers: {
        'X-Service-Application-Alias': 'shop',
        'X-Service-Branch': Buffer.from('main\u202Etxt\u0085').toString('latin1'),
        'Content-Disposition': "attachment; filename*=UTF-8''a%E2%80%AEkpa.exe%0D%0A.apk",
      },
      body: createApk({ versionCode: 950, label: 'Shop\r\nBcc: x\u2066', versionName: '1\u202E0' }),
    })
    assert.equal(build.status, 201, build.text)
    const { name, fileName, shortVersion, source } = build.json
    assert.deepEqual(
      { name, fileName, shortVersion, branch: source.branch },
      { name: 'ShopBcc: x', fileName: 'akpa.exe.apk', shortVersion: '10', branch: 'maintxt' },
    )
    const group = await server.call('POST', '/v1/distributionGroups', { json: { name: 'Q\u202EA' } })
    assert.equal(group.status, 400)
    assert.equal((await server.call('POST', '/v1/distributionGroups', { json: { name: 'ב\u200Fa' } })).status, 201)
  })

  const refused: { what: string; alias: string; body: Uint8Array<ArrayBuffer>; detail: RegExp }[] = [
    { what: 'garbage', alias: 'shop', body: new Uint8Array(1000).fill(7), detail: /zip/ },
    { what: 'empty', alias: 'shop', body: new Uint8Array(0), detail: /zip/ },
    { what: 'a zip of something else', alias: 'shop', body: new Uint8Array(writeZip([])), detail: /neither/ },
    { what: 'half an APK', alias: 'shop', body: createApk().slice(0, 1500), detail: /zip/ },
    {
      what: 'an IPA for an Android application',
      alias: 'shop',
      body: new Uint8Array(writeIpa()),
      detail: /for ios.*for android/,
    },
    {
      what: 'an APK with another identifier',
      alias: 'shop',
      body: createApk({ packageName: 'com.other' }),
      detail: /com\.other.*com\.example\.shop/,
    },
  ]
  for (const { what, alias, body, detail } of refused) {
    it(`is refused with 422 and leaves nothing behind when it is ${what}`, async () => {
      await expectNothingLeft(async () => {
        const answer = await server.call('POST', '/v2/builds', {
          headers: { 'X-Service-Application-Alias': alias },
          body,
        })
        assert.equal(answer.status, 422)
        assert.match(answer.json.detail, detail)
      })
    })
  }

  it('is refused with 413 over the limit, with or without Content-Length, and leaves nothing behind', async () => {
    const headers = { 'X-Service-Application-Alias': 'shop' }
    await expectNothingLeft(async () => {
      const announced = await server.call('POST', '/v2/builds', { headers, body: new Uint8Array(3_000_001) })
      assert.equal(announced.status, 413)
      const body = ReadableStream.from(
        (async function* () {
          for (let index = 0; index < 4; index++) yield new Uint8Array(1_000_000)
        })(),
      )
      const streamed = await server.call('POST', '/v2/builds', { headers, body })
      assert.equal(streamed.status, 413)
    })
  })

  const raw = async (head: string, body: string) => {
    const { hostname, port } = new URL(server.url)
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    socket.write(`${head}\r\n\r\n${body}`)
    return socket
  }
  const head = (token: string) =>
    `POST /v2/builds HTTP/1.1\r\nHost: x\r\nX-Service-Token: ${token}\r\n` +
    'X-Service-Application-Alias: shop\r\nContent-Length: 100000'

  it('leaves nothing behind when the client disconnects', async () => {
    await expectNothingLeft(async () => {
      const socket = await raw(head(server.token), 'half of it')
      await new Promise((resolve) => setTimeout(resolve, 100))
      socket.destroy()
    })
  })

  it('is aborted with 408 when it stops sending, and leaves nothing behind', async () => {
    await expectNothingLeft(async () => {
      const socket = await raw(head(server.token), 'half of it')
      const answer = requireAt<Buffer>(await once(socket, 'data'), 0)
      assert.match(answer.toString(), /^HTTP\/1\.1 408 /)
      socket.destroy()
    })
  })

  it('is refused without 100 Continue when its token is wrong', async () => {
    const socket = await raw(`${head('fl_wrong')}\r\nExpect: 100-continue`, '')
    const answer = requireAt<Buffer>(await once(socket, 'data'), 0)
    assert.match(answer.toString(), /^HTTP\/1\.1 401 /)
    socket.destroy()
  })

  it('gets 100 Continue when its token is right', async () => {
    const socket = await raw(`${head(server.token)}\r\nExpect: 100-continue`, '')
    const answer = requireAt<Buffer>(await once(socket, 'data'), 0)
    assert.match(answer.toString(), /^HTTP\/1\.1 100 Continue/)
    socket.destroy()
  })
})
