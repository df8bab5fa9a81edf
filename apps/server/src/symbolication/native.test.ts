/** Uploads the shared native libraries and resolves the shared tombstones with them, over HTTP. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { after, describe, it } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { SymbolicatedCrash, SymbolsFile } from '@fairlead/contract'
import { findNativeFixtures } from '../testing/fixtures.ts'
import { startServer } from '../testing/start-server.ts'
import { createApplication } from '../testing/upload.ts'

interface TruthImage {
  file: string
  buildId: string | null
  machine: string
  functions: string[][]
  files: string[]
  addresses: [address: string, frames: [name: number, file: number, line: number, column: number][]][]
}

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

  const truth: { images: TruthImage[] } = JSON.parse(readFileSync(join(fixtures, 'elf-truth.json'), 'utf8'))
  // Without a build id nothing in a tombstone tells the library; packages/symbols looks its addresses up.
  const images = truth.images.filter(({ buildId }) => buildId !== null)
  const count = images.reduce((sum, { addresses }) => sum + addresses.length, 0)

  it(`give llvm-symbolizer's answer at all ${count} addresses of ${images.length} files`, async () => {
    const atlas = await createApplication(server, 'truth')
    for (const { file } of images) {
      const answer = await upload('truth', read(file))
      assert.equal(answer.status, 201, answer.text)
    }
    const wrong: unknown[] = []
    for (const { file, buildId, machine, functions, files, addresses } of images) {
      const lines = addresses.map(([address], index) => {
        const pc = Number(address).toString(16).padStart(16, '0')
        return `      #${String(index).padStart(2, '0')} pc ${pc}  /data/app/${basename(file)} (BuildId: ${buildId})`
      })
      const report = await symbolicate(atlas.id, new TextEncoder().encode([...tombstoneHead, ...lines, ''].join('\n')))
      assert.equal(report.kind, 'native')
      const [thread, ...others] = report.threads
      assert.deepEqual([others.length, report.missingSymbols], [0, []])
      const found = splitGroups(thread?.frames ?? [])
      assert.equal(found.length, addresses.length)
      for (const [index, [address, expected]] of addresses.entries()) {
        const own = found[index]?.map((frame) => [frame.function, basename(frame.file ?? ''), frame.line, frame.column])
        const theirs = expected.map(([name, path, line, column]) => {
          const known = basename(files[path] ?? '')
          return [functions[name]?.[0] || null, known, known === '' ? null : line, column === 0 ? null : column]
        })
        const none = [[null, '', null, null]]
        if (isDeepStrictEqual(own, theirs.length === 0 ? none : theirs)) continue
        wrong.push({ file, machine, address, own, theirs })
      }
    }
    assert.deepEqual(wrong.slice(0, 5), [], `${wrong.length} of ${count} addresses differ`)
  })
})

const tombstoneHead = [
  '*** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***',
  "Build fingerprint: 'google/x/x:15/A/1:user/release-keys'",
  'pid: 4242, tid: 4242, name: main  >>> org.tarn.shop <<<',
  'signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0000000000000000',
  'backtrace:',
]

/** Frames by the frame of the report that they came from: inlined ones stand before the one that holds them. */
function splitGroups(frames: SymbolicatedCrash['threads'][number]['frames']): (typeof frames)[] {
  const groups: (typeof frames)[] = [[]]
  for (const frame of frames) {
    groups.at(-1)?.push(frame)
    if (!frame.inlined) groups.push([])
  }
  return groups.slice(0, -1)
}
