import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { writeElfLibrary, writeZip } from '@fairlead/binary/fixture'
import { SymbolsFile } from '@fairlead/contract'
import { requireAt } from '@fairlead/invariant'
import { startServer } from '../testing/start-server.ts'
import { createApplication, uploadApk } from '../testing/upload.ts'

const mapping = `# compiler: R8
# pg_map_id: 0123abc
com.example.Shop -> a.a:
    1:1:void open():10:10 -> a
    2:2:void close():20:20 -> a
`

describe('symbols files', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())
  const android = await createApplication(server, 'shop')
  const ios = await createApplication(server, 'shop-ios', 'ios')

  const upload = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
    server.call('POST', '/v2/symbolsFiles', {
      headers: {
        'X-Service-Application-Alias': 'shop',
        'X-Service-Package': 'com.example.shop',
        'X-Service-Version-Name': '1.0',
        'X-Service-Version-Code': '7',
        ...headers,
      },
      body,
    })
  const list = async (id: number) => (await server.call('GET', `/v1/applications/${id}/symbolsFiles`)).json

  it('are accepted with an empty 201 and listed when they are a mapping', async () => {
    const answer = await upload(mapping, { 'Content-Type': 'text/plain' })
    assert.equal(answer.status, 201, answer.text)
    assert.equal(answer.bytes.length, 0)
    const file = requireAt<SymbolsFile>(await list(android.id), 0)
    assert.deepEqual(SymbolsFile.parse(file), file)
    assert.deepEqual(file, {
      id: file.id,
      applicationId: android.id,
      kind: 'proguard',
      shortVersion: '1.0',
      version: '7',
      bundleIdentifier: 'com.example.shop',
      size: mapping.length,
      sha256: file.sha256,
      uploadedDate: file.uploadedDate,
      images: [{ name: 'mapping.txt', uuid: '0123abc', architecture: null, codeId: null }],
    })
    assert.deepEqual((await server.call('GET', `/v1/symbolsFiles/${file.id}`)).json, file)
  })

  it('are not stored twice', async () => {
    assert.equal((await upload(mapping)).status, 201)
    assert.equal((await list(android.id)).length, 1)
  })

  it('are listed for both versions that share a mapping, with the bytes stored once', async () => {
    const same = mapping.replace('0123abc', '5555555')
    assert.equal((await upload(same)).status, 201)
    assert.equal((await upload(same, { 'X-Service-Version-Code': '8' })).status, 201)
    assert.equal((await upload(same, { 'X-Service-Version-Code': '8' })).status, 201)
    const files: SymbolsFile[] = await list(android.id)
    const [later, earlier] = [requireAt(files, 0), requireAt(files, 1)]
    assert.deepEqual([later.version, earlier.version], ['8', '7'])
    assert.equal(later.sha256, earlier.sha256)
    const nameless = await upload(same, { 'X-Service-Version-Code': '' })
    assert.equal(nameless.status, 400)

    const trace = 'java.lang.RuntimeException: boom\n\tat a.a.a(SourceFile:2)\n'
    const resolve = () => server.call('POST', `/v1/applications/${android.id}/symbolicate?version=8`, { body: trace })
    assert.deepEqual((await resolve()).json.symbolsFileIds, [later.id])
    assert.equal((await server.call('DELETE', `/v1/symbolsFiles/${earlier.id}`)).status, 204)
    assert.match((await resolve()).json.text, /Shop\.close/)
    assert.equal((await server.call('DELETE', `/v1/symbolsFiles/${later.id}`)).status, 204)
  })

  it('are accepted as a mapping when they are a zip with a mapping and no dSYMs', async () => {
    const zip = writeZip([{ name: 'outputs/mapping.txt', data: Buffer.from(mapping.replace('0123abc', '4567def')) }])
    assert.equal((await upload(new Uint8Array(zip))).status, 201)
    assert.equal((await list(android.id))[0].kind, 'proguard')
  })

  it('need three headers for a mapping, and the error names the missing one', async () => {
    for (const name of ['X-Service-Package', 'X-Service-Version-Name', 'X-Service-Version-Code']) {
      const answer = await upload(`${mapping}# ${name}\n`, { [name]: '' })
      assert.equal(answer.status, 400)
      assert.equal(answer.json.errors[0].source, name)
    }
    const alias = await upload(mapping, { 'X-Service-Application-Alias': '' })
    assert.equal(alias.status, 400)
    assert.equal((await upload(mapping, { 'X-Service-Application-Alias': 'unknown' })).status, 404)
  })

  it('must match the platform of the application', async () => {
    const answer = await upload(mapping, { 'X-Service-Application-Alias': 'shop-ios' })
    assert.equal(answer.status, 422)
    assert.match(answer.json.detail, /android.*ios/)
    assert.deepEqual(await list(ios.id), [])
  })

  it('are refused with 422 when they are no symbols, and leave nothing behind', async () => {
    const before = await list(android.id)
    for (const body of ['', '<html></html>', new Uint8Array(5000).fill(9), new Uint8Array(writeZip([]))]) {
      const answer = await upload(body)
      assert.equal(answer.status, 422, answer.text)
    }
    assert.deepEqual(await list(android.id), before)
  })

  it('resolve a crash of their application', async () => {
    const trace = 'java.lang.RuntimeException: boom\n\tat a.a.a(SourceFile:2)\n'
    const path = `/v1/applications/${android.id}/symbolicate`
    const answer = await server.call('POST', path, { body: trace, headers: { 'Content-Type': 'text/plain' } })
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.json.kind, 'android')
    assert.equal(answer.json.text, 'java.lang.RuntimeException: boom\n\tat com.example.Shop.close(Shop.java:20)\n')
    const [frame] = answer.json.threads[0].frames
    assert.equal(frame.function, 'com.example.Shop.close')
    assert.equal(frame.line, 20)
    assert.equal(answer.json.symbolsFileIds.length, 1)
    const named = await server.call('POST', `${path}?symbolsFileId=${(await list(android.id)).at(-1).id}`, {
      body: trace,
    })
    assert.deepEqual(named.json.symbolsFileIds, [(await list(android.id)).at(-1).id])
    assert.equal((await server.call('POST', '/v1/applications/999999/symbolicate', { body: trace })).status, 404)
  })

  it('are not used for a trace that names another map id, because the lines would be wrong', async () => {
    const path = `/v1/applications/${android.id}/symbolicate`
    const trace = 'java.lang.RuntimeException: boom\n\tat a.a.a(r8-map-id-eeeeeee:2)\n'
    const { text, symbolsFileIds, warnings } = (await server.call('POST', path, { body: trace })).json
    assert.equal(text, trace)
    assert.deepEqual(symbolsFileIds, [])
    assert.deepEqual(warnings, ['There is no mapping with the id eeeeeee.'])
    const [{ id }] = await list(android.id)
    const insisted = await server.call('POST', `${path}?symbolsFileId=${id}`, { body: trace })
    assert.deepEqual(insisted.json.symbolsFileIds, [id])
  })

  it('are used for a trace that names a map id when they have none themselves', async () => {
    assert.equal((await upload(mapping.replace('# pg_map_id: 0123abc\n', ''))).status, 201)
    const [{ id }] = await list(android.id)
    const trace = 'java.lang.RuntimeException: boom\n\tat a.a.a(r8-map-id-eeeeeee:2)\n'
    const answer = await server.call('POST', `/v1/applications/${android.id}/symbolicate`, { body: trace })
    assert.deepEqual(answer.json.symbolsFileIds, [id])
  })

  it('count towards the coverage of a build, even when uploaded after it', async () => {
    const marker = Buffer.from('~~R8{"pg-map-id":"89abcde"}\0')
    const build = await uploadApk(server, { alias: 'shop', apk: { files: [{ name: 'classes.dex', data: marker }] } })
    const missing = [{ name: 'classes.dex', uuid: '89abcde', architecture: null }]
    assert.deepEqual(build.symbols, { expected: 1, present: 0, missing })
    await upload(mapping.replace('0123abc', '89abcde'))
    const covered = { expected: 1, present: 1, missing: [] }
    assert.deepEqual((await server.call('GET', `/v1/builds/${build.id}`)).json.symbols, covered)
    const builds = await server.call('GET', `/v1/applications/${android.id}/builds`)
    assert.deepEqual(builds.json.find((one: { id: number }) => one.id === build.id).symbols, covered)
  })

  it('are missing for a library by its debug id in lower case, as everywhere', async () => {
    const buildId = Buffer.from('9c7fff405dc70e313eb5759c061f33993aceaa5c', 'hex')
    const data = writeElfLibrary({ is64: true, machine: 183, buildId })
    const apk = { files: [{ name: 'lib/arm64-v8a/libatlas.so', data }] }
    const build = await uploadApk(server, { alias: 'shop', apk })
    const uuid = '40ff7f9c-c75d-310e-3eb5-759c061f3399'
    assert.deepEqual(build.symbols?.missing, [{ name: 'libatlas.so', uuid, architecture: 'arm64' }])
  })

  it('count towards the coverage of a build as source maps of its JavaScript, by name and release', async () => {
    const files = [{ name: 'assets/index.android.bundle', data: Buffer.from('run()') }]
    const apk = { packageName: 'com.example.shop', versionName: '9.1', versionCode: 91, files }
    const build = await uploadApk(server, { alias: 'shop', apk })
    const missing = [{ name: 'index.android.bundle', uuid: '', architecture: null }]
    assert.deepEqual(build.symbols, { expected: 1, present: 0, missing })
    const send = async (release: Record<string, string>) => {
      const map = { version: 3, sources: [`${JSON.stringify(release)}.ts`], names: [], mappings: 'AAAA' }
      const headers = {
        'X-Service-Application-Alias': 'shop',
        'X-Service-Bundle-Name': 'index.android.bundle',
        ...release,
      }
      const answer = await server.call('POST', '/v2/symbolsFiles', { body: JSON.stringify(map), headers })
      assert.equal(answer.status, 201)
      const path = `/v1/applications/${android.id}/builds`
      const { json } = await server.call('GET', path)
      const single = await server.call('GET', `/v1/builds/${build.id}`)
      const listed = json.find((one: { id: number }) => one.id === build.id)
      assert.deepEqual(listed.symbols, single.json.symbols)
      return single.json.symbols.present
    }
    // A map without a release answers to no crash, and neither does the map of another release.
    assert.equal(await send({}), 0)
    assert.equal(await send({ 'X-Service-Version-Name': '9.2' }), 0)
    assert.equal(await send({ 'X-Service-Version-Name': '9.1', 'X-Service-Version-Code': '90' }), 0)
    assert.equal(await send({ 'X-Service-Package': 'com.example.other', 'X-Service-Version-Name': '9.1' }), 0)
    assert.equal(await send({ 'X-Service-Version-Name': '9.1' }), 1)
  })

  it('can be deleted once, with their lookup files', async () => {
    await uploadApk(server, { alias: 'shop' })
    for (const file of await list(android.id)) {
      assert.equal((await server.call('DELETE', `/v1/symbolsFiles/${file.id}`)).status, 204)
      assert.equal((await server.call('DELETE', `/v1/symbolsFiles/${file.id}`)).status, 404)
    }
    assert.deepEqual(await list(android.id), [])
  })
})
