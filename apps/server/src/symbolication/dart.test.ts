/** Uploads the shared symbols of Flutter builds and resolves the shared traces with them, over HTTP. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { after, describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { SymbolicatedCrash, SymbolsFile } from '@fairlead/contract'
import { findNativeFixtures } from '../testing/fixtures.ts'
import { startServer } from '../testing/start-server.ts'
import { createApplication, uploadApk } from '../testing/upload.ts'

interface TruthSymbols {
  file: string
  buildId: string
  debugId: string
  arch: string
  traces: { file: string; buildId: string | null; decoded: string[] }[]
}

const trace = (name: string) => `Unhandled exception:
${name}
*** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***
os: android arch: arm64 comp: yes sim: no
build_id: '07cc131ca803c124e93268ce19322737'
isolate_instructions: 740f3aa0, vm_instructions: 740ef000
    #00 abs 000000007415bbf7 virt 0000000000190bf7 _kDartIsolateSnapshotInstructions+0x68157
`

describe('obfuscation maps', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())
  const app = await createApplication(server, 'flutter')
  const upload = (text: string, headers: Record<string, string> = {}) => {
    const body = new TextEncoder().encode(text)
    return server.call('POST', '/v2/symbolsFiles', {
      headers: { 'X-Service-Application-Alias': 'flutter', ...headers },
      body,
    })
  }
  const debugId = '1c13cc07-03a8-24c1-e932-68ce19322737'
  const named = { 'X-Service-Debug-Id': debugId.replaceAll('-', '').toUpperCase() }

  it('need the debug id of the symbols that they belong to', async () => {
    const answer = await upload('["TideTable", "aa"]')
    assert.equal(answer.status, 400, answer.text)
    assert.equal(answer.json.errors[0].source, 'X-Service-Debug-Id')
    assert.equal((await upload('["TideTable", "aa"]', { 'X-Service-Debug-Id': 'none' })).status, 400)
  })

  it('are refused when they are no pairs of names', async () => {
    for (const text of ['["A", "b", "C"]', '[1, 2]', '["A", "b"', '["A", ["b"]]', '[', '["A" "b"]', '["\\x", "b"]']) {
      const answer = await upload(text, named)
      assert.equal(answer.status, 422, text)
      assert.match(answer.json.detail, /obfuscation map/, text)
    }
  })

  it('are listed with their debug id and restore the class of an exception, and only that', async () => {
    const map = '["TideTable", "aa", "HarbourException", "ab", "main", "main", "Other", "ab", "Bad", "bad"]'
    assert.equal((await upload(map, named)).status, 201)
    assert.equal((await upload(map, named)).status, 201)
    const list = await server.call('GET', `/v1/applications/${app.id}/symbolsFiles`)
    const files = SymbolsFile.array().parse(list.json)
    assert.equal(files.length, 1)
    assert.equal(files[0]?.kind, 'dartmap')
    assert.deepEqual(files[0].images, [
      { name: 'obfuscation-map.json', uuid: debugId, architecture: null, codeId: null },
    ])
    for (const [given, expected] of [
      ['ab: bad aa', 'HarbourException: bad aa'],
      ["Instance of 'ab<aa>'", "Instance of 'HarbourException<TideTable>'"],
      ['abc: aa', 'abc: aa'],
      ['some bad words', 'some bad words'],
    ] as const) {
      const answer = await server.call('POST', `/v1/applications/${app.id}/symbolicate`, { body: trace(given) })
      const report = SymbolicatedCrash.parse(answer.json)
      assert.equal(report.kind, 'dart')
      assert.equal(report.text.split('\n')[1], expected)
      assert.deepEqual(report.symbolsFileIds, [files[0].id])
      assert.deepEqual(report.missingSymbols, [
        { name: 'libapp.so', uuid: debugId, architecture: 'arm64', codeId: '07cc131ca803c124e93268ce19322737' },
      ])
    }
  })
})

const fixtures = findNativeFixtures()

describe('Dart traces', { skip: fixtures === undefined }, async () => {
  if (fixtures === undefined) return
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())
  const app = await createApplication(server, 'flutter')
  const truth: { symbols: TruthSymbols[] } = JSON.parse(readFileSync(join(fixtures, 'dart-truth.json'), 'utf8'))
  const symbolicate = async (body: string, query = '') => {
    const answer = await server.call('POST', `/v1/applications/${app.id}/symbolicate${query}`, { body })
    assert.equal(answer.status, 200, answer.text)
    return SymbolicatedCrash.parse(answer.json)
  }
  const readTrace = (file: string) => readFileSync(join(fixtures, file), 'utf8')

  it('name the symbols that they lack', async () => {
    for (const { buildId, debugId, traces } of truth.symbols) {
      for (const { file, buildId: given } of traces) {
        const { missingSymbols, threads } = await symbolicate(readTrace(file))
        const [uuid, codeId] = given === null ? [null, null] : [debugId, buildId]
        assert.deepEqual(
          missingSymbols.map((one) => [one.uuid, one.codeId]),
          [[uuid, codeId]],
        )
        assert.ok(threads[0]?.frames.every((frame) => frame.function === null && frame.line === null))
      }
    }
  })

  it('have the lines of Flutter once the symbols of their build are here', async () => {
    for (const { file } of truth.symbols) {
      const body = new Uint8Array(gunzipSync(readFileSync(join(fixtures, `${file}.gz`))))
      const headers = {
        'X-Service-Application-Alias': 'flutter',
        'Content-Disposition': `attachment; filename="${basename(file)}"`,
      }
      const answer = await server.call('POST', '/v2/symbolsFiles', { headers, body })
      assert.equal(answer.status, 201, answer.text)
    }
    const list = await server.call('GET', `/v1/applications/${app.id}/symbolsFiles`)
    const files = SymbolsFile.array().parse(list.json)
    for (const { file: symbols, traces } of truth.symbols) {
      const { id } = files.find(({ images }) => images[0]?.name === basename(symbols)) ?? { id: 0 }
      for (const { file, buildId, decoded } of traces) {
        const report = await symbolicate(readTrace(file), buildId === null ? `?symbolsFileId=${id}` : '')
        const lines = report.text.split('\n').flatMap((line) => /#\d+ .*$/.exec(line)?.[0] ?? [])
        assert.deepEqual(lines, decoded)
        assert.deepEqual(report.missingSymbols, [])
        assert.deepEqual(report.symbolsFileIds, [id])
      }
    }
  })

  it('are answered by no other build', async () => {
    const { files } = {
      files: SymbolsFile.array().parse((await server.call('GET', `/v1/applications/${app.id}/symbolsFiles`)).json),
    }
    const [other] = files
    const text = readTrace(truth.symbols[0]?.traces[0]?.file ?? '').replace(/build_id: '..../, "build_id: '0000")
    const report = await symbolicate(text, `?symbolsFileId=${other?.id}`)
    assert.equal(report.missingSymbols.length, 1)
    assert.equal(report.missingSymbols[0]?.codeId?.startsWith('0000'), true)
    assert.deepEqual(report.symbolsFileIds, [])
  })

  it('count towards the coverage of a build with its libraries, which an obfuscation map does not', async () => {
    const covered = await createApplication(server, 'covered')
    const send = async (body: Buffer, more: Record<string, string> = {}) => {
      const headers = { 'X-Service-Application-Alias': 'covered', ...more }
      const answer = await server.call('POST', '/v2/symbolsFiles', { headers, body: new Uint8Array(body) })
      assert.equal(answer.status, 201, answer.text)
    }
    const library = readFileSync(join(fixtures, 'elf/libatlas-arm64-split4.so'))
    const snapshot = gunzipSync(readFileSync(join(fixtures, 'dart/app.android-arm64.symbols.gz')))
    const files = [
      { name: 'lib/arm64-v8a/libatlas.so', data: library },
      { name: 'lib/arm64-v8a/libapp.so', data: snapshot },
    ]
    const build = await uploadApk(server, { alias: 'covered', apk: { files } })
    const debugId = '1c13cc07-03a8-24c1-e932-68ce19322737'
    const atlas = { name: 'libatlas.so', uuid: '40ff7f9c-c75d-310e-3eb5-759c061f3399', architecture: 'arm64' }
    const app = { name: 'libapp.so', uuid: debugId, architecture: 'arm64' }
    assert.deepEqual(build.symbols, { expected: 2, present: 0, missing: [atlas, app] })
    await send(readFileSync(join(fixtures, 'dart/obfuscation-map.json')), { 'X-Service-Debug-Id': debugId })
    await send(readFileSync(join(fixtures, 'elf/libatlas-arm64-split4.so.debug')))
    const read = async () => (await server.call('GET', `/v1/builds/${build.id}`)).json.symbols
    assert.deepEqual(await read(), { expected: 2, present: 1, missing: [app] })
    await send(snapshot)
    assert.deepEqual(await read(), { expected: 2, present: 2, missing: [] })
    const { json: list } = await server.call('GET', `/v1/applications/${covered.id}/builds`)
    assert.deepEqual(list[0].symbols, { expected: 2, present: 2, missing: [] })
  })

  it('with impossible numbers stay as they came', async () => {
    const text = readTrace('hostile/dart-trace-bad-numbers.txt')
    const answer = await server.call('POST', `/v1/applications/${app.id}/symbolicate`, { body: text })
    assert.ok(answer.status === 200 || answer.status === 422, answer.text)
  })
})
