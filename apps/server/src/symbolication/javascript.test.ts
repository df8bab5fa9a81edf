/** Uploads source maps and resolves stacks of JavaScript with them, over HTTP. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { after, describe, it } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { SymbolicatedCrash, SymbolsFile } from '@fairlead/contract'
import { findNativeFixtures } from '../testing/fixtures.ts'
import { startServer } from '../testing/start-server.ts'
import { createApplication } from '../testing/upload.ts'

/** Line 1 has two segments: column 0 is line 1 of the source, column 10 is line 2, column 2. */
const createMap = (source: string, more: object = {}) =>
  JSON.stringify({ version: 3, sources: [source], names: [], mappings: 'AAAA,UACE', ...more })

const stack = (file: string, column = 11) =>
  `TypeError: gone\n    at pay (${file}:1:${column})\n    at node:internal/x:1:1\n`

describe('source maps', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())
  const app = await createApplication(server, 'web')
  const upload = async (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) => {
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
    const all = { 'X-Service-Application-Alias': 'web', ...headers }
    return await server.call('POST', '/v2/symbolsFiles', { headers: all, body: bytes })
  }
  const list = async () => {
    const { json } = await server.call('GET', `/v1/applications/${app.id}/symbolsFiles`)
    return SymbolsFile.array().parse(json)
  }
  const symbolicate = async (body: string, query = '') => {
    const answer = await server.call('POST', `/v1/applications/${app.id}/symbolicate${query}`, { body })
    assert.equal(answer.status, 200, answer.text)
    return SymbolicatedCrash.parse(answer.json)
  }
  const release = { 'X-Service-Package': 'org.tarn', 'X-Service-Version-Name': '1.0', 'X-Service-Version-Code': '7' }
  const debugId = '40ff7f9c-c75d-310e-3eb5-759c061f3399'

  it('are taken without a header, and answer to the id of their file only', async () => {
    assert.equal((await upload(createMap('plain.ts'))).status, 201)
    assert.equal((await upload(createMap('plain.ts'))).status, 201)
    const [file, ...others] = await list()
    assert.deepEqual(others, [])
    assert.equal(file?.kind, 'sourcemap')
    assert.deepEqual(file.images, [{ name: '', uuid: '', architecture: null, codeId: null }])
    const { kind, threads, text, missingSymbols, symbolsFileIds } = await symbolicate(
      stack('https://tarn.example/app.js?v=1'),
      `?symbolsFileId=${file.id}`,
    )
    assert.equal(kind, 'javascript')
    const [frame, engine] = threads[0]?.frames ?? []
    assert.deepEqual([frame?.function, frame?.file, frame?.line, frame?.column], ['pay', 'plain.ts', 2, 3])
    assert.deepEqual([engine?.file, engine?.line, engine?.column], ['node:internal/x', 1, 1])
    assert.match(text, /^ {4}at pay \(plain\.ts:2:3\)$/m)
    assert.deepEqual(missingSymbols, [])
    assert.deepEqual(symbolsFileIds, [file.id])
    const without = await symbolicate(stack('https://tarn.example/app.js?v=1'))
    assert.deepEqual(without.missingSymbols, [{ name: 'app.js', uuid: null, architecture: null, codeId: null }])
    assert.equal(without.threads[0]?.frames[0]?.column, 11)
  })

  it('answer to the debug id in the map, or to that of the header', async () => {
    assert.equal((await upload(createMap('inside.ts', { debugId: debugId.toUpperCase() }))).status, 201)
    const other = debugId.replace('40ff', '50ff')
    const told = { 'X-Service-Debug-Id': `${other.replaceAll('-', '')}0` }
    assert.equal((await upload(createMap('told.ts'), told)).status, 201)
    for (const [id, source] of [
      [debugId, 'inside.ts'],
      [other.toUpperCase(), 'told.ts'],
    ]) {
      const { threads } = await symbolicate(stack('/app.js'), `?debugId=${id}`)
      assert.equal(threads[0]?.frames[0]?.file, source)
    }
    assert.equal((await upload(createMap('bad.ts'), { 'X-Service-Debug-Id': 'none' })).status, 400)
    const { missingSymbols } = await symbolicate(stack('/app.js'), `?debugId=${debugId.replace('40ff', '60ff')}`)
    assert.equal(missingSymbols.length, 1)
  })

  it('answer to a release by the name of their bundle, whatever its folder is', async () => {
    for (const name of ['main.jsbundle', 'other.js']) {
      const headers = { ...release, 'X-Service-Bundle-Name': `app:///${name}?a=b` }
      assert.equal((await upload(createMap('released.ts', { sourceRoot: `/${name}` }), headers)).status, 201)
    }
    const files = await list()
    assert.ok(files.some(({ images, version }) => images[0]?.name === 'main.jsbundle' && version === '7'))
    for (const query of ['?version=7&shortVersion=1.0', '?version=7', '?shortVersion=1.0']) {
      const { threads } = await symbolicate(`${stack('~/x/main.jsbundle')}${stack('https://h/other.js#a')}`, query)
      assert.deepEqual(
        threads[0]?.frames.flatMap(({ file, line }) => (line === 2 ? file : [])),
        ['/main.jsbundle/released.ts', '/other.js/released.ts'],
      )
    }
    const { missingSymbols } = await symbolicate(stack('third.js'), '?version=7')
    assert.deepEqual(
      missingSymbols.map(({ name }) => name),
      ['third.js'],
    )
  })

  it('are refused when nothing of them can be read', async () => {
    for (const text of ['{"version":2}', '{"version":3,"sources":{},"mappings":""}', '{"version":3', ")]}'\n{}"]) {
      const answer = await upload(text)
      assert.equal(answer.status, 422, text)
      assert.match(answer.json.detail, /source map/, text)
    }
  })
})

const fixtures = findNativeFixtures()

type Text = string | null
type Count = number | null

/** Then the reference's name of the token and, with a function map, its own answer, whose last is the function. */
type Position = [line: number, column: number, source: Text, line: Count, column: Count, ...more: (Text | Count)[]]

interface TruthMap {
  name: string
  map: string
  bundle: string
  debugId?: string
  positions?: Position[]
  ramPositions?: [module: number, line: number, column: number, source: Text, line: Count, column: Count, name: Text][]
  stacks?: {
    text: string
    frames: {
      line: number
      column: number
      source: string | null
      originalLine: number
      originalColumn: number
      functionName?: string
    }[]
  }[]
}

describe('stacks that engines printed', { skip: fixtures === undefined }, async () => {
  if (fixtures === undefined) return
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())
  const app = await createApplication(server, 'harbour')
  const truth: { maps: TruthMap[] } = JSON.parse(readFileSync(join(fixtures, 'sourcemap-truth.json'), 'utf8'))

  for (const { name, map, debugId, stacks = [] } of truth.maps) {
    it(`have the lines that the map of ${name} says`, async () => {
      const path = join(fixtures, 'sourcemaps', map)
      const bytes = new Uint8Array(name === 'huge' ? gunzipSync(readFileSync(`${path}.gz`)) : readFileSync(path))
      const bundle = basename(map).replace(/\.map$/, '')
      const headers = {
        'X-Service-Application-Alias': 'harbour',
        'X-Service-Version-Name': name,
        'X-Service-Bundle-Name': bundle,
      }
      const sent = await server.call('POST', '/v2/symbolsFiles', { headers, body: bytes })
      assert.equal(sent.status, 201, sent.text)
      for (const { text, frames: expected } of stacks) {
        for (const query of [`?shortVersion=${name}`, ...(debugId === undefined ? [] : [`?debugId=${debugId}`])]) {
          const answer = await server.call('POST', `/v1/applications/${app.id}/symbolicate${query}`, { body: text })
          assert.equal(answer.status, 200, answer.text)
          const { threads } = SymbolicatedCrash.parse(answer.json)
          const frames =
            threads[0]?.frames.filter(({ raw }) => !/node:internal|\(native\)|<anonymous>\)/.test(raw)) ?? []
          assert.equal(frames.length, expected.length)
          for (const [place, { source, line, originalLine, originalColumn, functionName }] of expected.entries()) {
            const frame = frames[place]
            if (source === null) assert.equal(frame?.line, line)
            else {
              assert.deepEqual([frame?.line, frame?.column], [originalLine, originalColumn + 1])
              assert.equal(basename(frame?.file ?? ''), basename(source))
              if (functionName !== undefined) assert.equal(frame?.function, functionName)
            }
          }
        }
      }
    })
  }

  const count = truth.maps.reduce((sum, map) => sum + toPlaces(map).length, 0)

  it(`have the reference's answer at all ${count} positions of ${truth.maps.length} maps`, async () => {
    const wrong: unknown[] = []
    for (const map of truth.maps) {
      const places = toPlaces(map)
      for (let at = 0; at < places.length; at += framesPerStack) {
        const piece = places.slice(at, at + framesPerStack)
        const body = `Error: gone\n${piece.map(({ place }) => `    at reported (${place})\n`).join('')}`
        const path = `/v1/applications/${app.id}/symbolicate?shortVersion=${map.name}`
        const answer = await server.call('POST', path, { body })
        assert.equal(answer.status, 200, answer.text)
        const frames = SymbolicatedCrash.parse(answer.json).threads[0]?.frames ?? []
        assert.equal(frames.length, piece.length)
        for (const [index, { place, expected }] of piece.entries()) {
          const frame = frames[index]
          // webpack writes `./` into its sources, which trace-mapping leaves out and we keep.
          const file = expected[0] === null ? null : (frame?.file?.replace('/./', '/') ?? null)
          const own = [file, ...(expected[0] === null ? [] : [frame?.line, frame?.column]), frame?.function]
          if (!isDeepStrictEqual(own, expected)) wrong.push({ map: map.name, place, own, expected })
        }
      }
    }
    assert.deepEqual(wrong.slice(0, 5), [], `${wrong.length} of ${count} positions differ`)
  })
})

/** Frames of one stack that is sent. */
const framesPerStack = 500

/** Places as an engine prints them, with the source, line, column (from 1) and function that are expected. */
function toPlaces({ name, bundle, positions = [], ramPositions = [] }: TruthMap) {
  const expect = (source: Text, line: Count, column: Count, functionName: unknown) =>
    source === null
      ? [null, functionName ?? 'reported']
      : [source.replace('/./', '/'), line, column === null ? null : column + 1, functionName ?? 'reported']
  const isHermes = name.startsWith('hermes')
  const plain = positions.map(([line, column, source, ...rest]) => ({
    place: isHermes ? `address at ${basename(bundle)}:1:${column}` : `${basename(bundle)}:${line}:${column + 1}`,
    expected: expect(source, rest[0], rest[1], rest[6]),
  }))
  const ram = ramPositions.map(([module, line, column, source, ...rest]) => ({
    place: `${module}.js:${line}:${column + 1}`,
    expected: expect(source, rest[0], rest[1], rest[2]),
  }))
  return [...plain, ...ram]
}
