/** Uploads the shared native libraries and resolves the shared tombstones with them, over HTTP. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { after, describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { SymbolicatedCrash, SymbolsFile } from '@fairlead/contract'
import { findNativeFixtures } from '../testing/fixtures.ts'
import { startServer } from '../testing/start-server.ts'
import { createApplication } from '../testing/upload.ts'

const fixtures = findNativeFixtures()

describe('symbols of native libraries', { skip: fixtures === undefined }, async () => {
  if (fixtures === undefined) return
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())
  const app = await createApplication(server, 'native')
  const read = (file: string) => new Uint8Array(readFileSync(join(fixtures, file)))
  const upload = (alias: string, body: Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
    server.call('POST', '/v2/symbolsFiles', { headers: { 'X-Service-Application-Alias': alias, ...headers }, body })
  const symbolicate = async (id: number, body: Uint8Array<ArrayBuffer>) => {
    const answer = await server.call('POST', `/v1/applications/${id}/symbolicate`, { body })
    assert.equal(answer.status, 200, answer.text)
    return SymbolicatedCrash.parse(answer.json)
  }

  it('are listed with their debug id and build id', async () => {
    const answer = await upload('native', read('elf/libatlas-arm64-split4.so'))
    assert.equal(answer.status, 201, answer.text)
    const list = await server.call('GET', `/v1/applications/${app.id}/symbolsFiles`)
    const [file] = list.json.map((file: unknown) => SymbolsFile.parse(file))
    assert.equal(file?.kind, 'elf')
    assert.deepEqual(file.images, [
      {
        name: 'libatlas.so',
        uuid: '40ff7f9c-c75d-310e-3eb5-759c061f3399',
        architecture: 'arm64',
        codeId: '9c7fff405dc70e313eb5759c061f33993aceaa5c',
      },
    ])
  })

  it('answer from the file that says most, whichever came first', async () => {
    const before = await symbolicate(app.id, read('events/tombstone-0-arm64.txt'))
    const place = (report: SymbolicatedCrash) =>
      report.threads[0]?.frames.find(({ address }) => address === '0xba68')?.file ?? null
    assert.equal(before.kind, 'native')
    assert.equal(place(before), null)
    assert.equal((await upload('native', read('elf/libatlas-arm64-split4.so.debug'))).status, 201)
    assert.equal((await upload('native', read('elf/libatlas-arm64-split4.so.debug'))).status, 201)
    assert.equal(basename(place(await symbolicate(app.id, read('events/tombstone-0-arm64.txt'))) ?? ''), 'atlas3.cpp')
    const list = await server.call('GET', `/v1/applications/${app.id}/symbolsFiles`)
    assert.equal(list.json.length, 2)
  })

  it('of another build do not answer, and a warning names them', async () => {
    const report = await symbolicate(app.id, read('events/tombstone-0-arm64.pb'))
    const [first] = report.threads[0]?.frames ?? []
    assert.equal(first?.function, 'atlas::Chart::area(int) const')
    assert.equal(first.file, null)
    assert.ok(report.missingSymbols.some(({ codeId }) => codeId === '623d2589d4a55559a972f971567fd55f711d98b4'))
    assert.ok(
      report.warnings.includes(
        'libatlas.so: the build id 623d2589d4a55559a972f971567fd55f711d98b4 is not here; ' +
          '9c7fff405dc70e313eb5759c061f33993aceaa5c is',
      ),
      report.warnings.join('\n'),
    )
  })

  const manifest = readFileSync(join(fixtures, 'hostile/MANIFEST.tsv'), 'utf8').trim().split('\n').slice(1)
  for (const line of manifest) {
    const [file = '', how = '', expected = '', why = ''] = line.split('\t')
    const [verb, packing] = how.split(':')
    const isBinary = file.endsWith('.so') || file.endsWith('.pb') || file === 'tombstone-long-line.txt'
    if (!isBinary || (verb !== 'symbols' && verb !== 'crash')) continue
    it(`that are hostile get an answer: ${file}, ${why}`, async () => {
      const bytes = readFileSync(join(fixtures, 'hostile', file))
      const body = new Uint8Array(packing === 'gzip' ? gunzipSync(bytes) : bytes)
      const started = performance.now()
      const answer =
        verb === 'symbols'
          ? await upload('native', body)
          : await server.call('POST', `/v1/applications/${app.id}/symbolicate`, { body })
      const seconds = (performance.now() - started) / 1000
      assert.ok(answer.status < 500, answer.text)
      if (expected === 'refuse') assert.ok(answer.status >= 400, String(answer.status))
      if (process.env['FAIRLEAD_TEST_TIMES'] !== undefined) console.log(file, answer.status, seconds.toFixed(2))
    })
  }
})
