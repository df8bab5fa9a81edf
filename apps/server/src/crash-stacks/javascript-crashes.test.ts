/** Sends crashes of JavaScript with their source maps first and last, and compares both with the truth. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { Crash, MissingSymbols } from '@fairlead/contract'
import { type CrashApplication, createCrashApplication, deliver, waitUntilRead } from '../testing/crashes.ts'
import { findNativeFixtures } from '../testing/fixtures.ts'
import { startServer, type TestServer } from '../testing/start-server.ts'

const upload = async (server: TestServer, alias: string, body: string, more: Record<string, string>) => {
  const headers = { 'X-Service-Application-Alias': alias, ...more }
  const answer = await server.call('POST', '/v2/symbolsFiles', { headers, body: new TextEncoder().encode(body) })
  assert.equal(answer.status, 201, answer.text)
}

const listMissing = async (server: TestServer, { id }: CrashApplication) => {
  const { json } = await server.call('GET', `/v1/applications/${id}/missingSymbols`)
  return MissingSymbols.array().parse(json)
}

const listCrashes = async (server: TestServer, { id }: CrashApplication) => {
  const { json: groups } = await server.call('GET', `/v1/applications/${id}/crashGroups`)
  const crashes = new Map<string, { crash: Crash; key: string; count: number }>()
  for (const group of groups) {
    const { json: listed } = await server.call('GET', `/v1/crashGroups/${group.id}/crashes`)
    for (const one of listed) {
      const { json } = await server.call('GET', `/v1/crashes/${one.id}`)
      const key = JSON.stringify([group.key, group.title, group.culprit])
      crashes.set(one.sourceId, { crash: Crash.parse(json), key, count: group.crashCount })
    }
  }
  return crashes
}

describe('crashes of JavaScript', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())
  const app = await createCrashApplication(server, 'shop')
  const frame = (file: string, column: number, more: object = {}) => {
    return { filename: file, abs_path: file, function: 'run', lineno: 1, colno: column, in_app: true, ...more }
  }
  const send = (id: string, frames: object[], more: object = {}) =>
    deliver(
      server,
      app,
      'sentry-store',
      JSON.stringify({
        event_id: id.repeat(32),
        platform: 'javascript',
        level: 'fatal',
        exception: { values: [{ type: 'TypeError', value: 'gone', stacktrace: { frames } }] },
        ...more,
      }),
    )
  const find = async (id: string) => {
    await waitUntilRead(server, app.id)
    const found = (await listCrashes(server, app)).get(id.repeat(32))
    assert.ok(found)
    return found
  }
  // Columns 0 and 10 of line 1 are lines 1 and 2 of the first source, column 20 is line 1 of the second.
  const mappings = 'AAAA,UACE,UCDF'
  const sources = ['src/cart.ts', '../node_modules/left/pad.ts']
  const map = JSON.stringify({ version: 3, sources, names: [], mappings })

  it('keep columns, and name the bundles whose maps are missing, but none of the engine and of others', async () => {
    const frames = [
      frame('node:internal/main', 5),
      frame('https://cdn.tarn.example/tracker.js', 5, { in_app: false }),
      frame('https://tarn.example/static/app.js?token=secret#x', 11),
    ]
    await send('a', frames, { release: 'org.tarn.shop@1.0', dist: '7' })
    const { crash } = await find('a')
    const [own] = crash.frames
    assert.deepEqual([own?.reported?.column, own?.reported?.line, own?.reported?.module], [11, 1, 'app.js'])
    assert.equal(own?.file, 'https://tarn.example/static/app.js')
    assert.deepEqual(crash.missingSymbols, ['app.js'])
    assert.deepEqual(
      (await listMissing(server, app)).map(({ kind, uuid, name, version }) => [kind, uuid, name, version]),
      [['sourcemap', null, 'app.js', '7']],
    )
  })

  it('are read again when the map of their release comes, and by no other release', async () => {
    const release = { 'X-Service-Version-Name': '1.0', 'X-Service-Bundle-Name': '~/static/app.js' }
    await upload(server, 'shop', map, { ...release, 'X-Service-Version-Code': '8' })
    await waitUntilRead(server, app.id)
    assert.equal((await listMissing(server, app)).length, 1)
    await upload(server, 'shop', map, { ...release, 'X-Service-Version-Code': '7' })
    const { crash, key } = await find('a')
    assert.deepEqual([crash.frames[0]?.file, crash.frames[0]?.line, crash.frames[0]?.column], ['src/cart.ts', 2, 3])
    assert.equal(crash.frames[0]?.reported?.column, 11)
    assert.match(key, /cart\.run/)
    assert.deepEqual([crash.missingSymbols, await listMissing(server, app)], [[], []])
  })

  it('take a bundle with a debug id by that alone, whatever the spelling is', async () => {
    const debugId = '40ff7f9c-c75d-310e-3eb5-759c061f3399'
    const image = { type: 'sourcemap', code_file: 'app:///app.js', debug_id: debugId.replaceAll('-', '').toUpperCase() }
    const more = { release: 'org.tarn.shop@1.0', dist: '7', debug_meta: { images: [image] } }
    await send('b', [frame('app:///app.js', 21), frame('app:///app.js', 11)], more)
    const { crash: waiting } = await find('b')
    assert.deepEqual(waiting.missingSymbols, [debugId])
    assert.equal(waiting.frames[0]?.reported?.imageUuid, debugId)
    assert.deepEqual(waiting.images, [{ name: 'app.js', uuid: debugId, architecture: null }])
    await upload(server, 'shop', map, { 'X-Service-Debug-Id': debugId })
    const { crash, key } = await find('b')
    assert.deepEqual(
      crash.frames.map(({ line, isApp }) => [line, isApp]),
      [
        [2, true],
        [1, false],
      ],
    )
    assert.deepEqual(crash.missingSymbols, [])
    assert.match(key, /cart\.run/)
  })

  it('have frames of installed packages that are none of the app', async () => {
    await send('c', [frame('/static/app.js', 1), frame('/static/app.js', 21)], {
      release: 'org.tarn.shop@1.0',
      dist: '7',
    })
    const { crash } = await find('c')
    assert.deepEqual(
      crash.frames.map(({ file, isApp }) => [file, isApp]),
      [
        ['../node_modules/left/pad.ts', false],
        ['src/cart.ts', true],
      ],
    )
  })

  it('show the name that the source gives a function instead of that of a minifier', async () => {
    const source = 'export class Cart {\n  pay() {\n    throw new TypeError()\n  }\n}\n'
    // Column 0 of line 1 is line 3 of the source.
    const named = { version: 3, sources: ['src/pay.ts'], sourcesContent: [source], names: [], mappings: 'AAEI' }
    const release = {
      'X-Service-Version-Name': '3.0',
      'X-Service-Version-Code': '9',
      'X-Service-Bundle-Name': 'pay.js',
    }
    await upload(server, 'shop', JSON.stringify(named), release)
    const names = ['t', 'async e.t', 'Cart.pay', 'HTMLButtonElement.<anonymous>']
    const frames = names.map((name) => frame('/static/pay.js', 1, { function: name })).toReversed()
    await send('e', frames, { release: 'org.tarn.shop@3.0', dist: '9' })
    const { crash } = await find('e')
    assert.deepEqual(
      crash.frames.map(({ function: name, line, reported }) => [name, line, reported?.function]),
      [
        ['pay', 3, 't'],
        ['pay', 3, 'async e.t'],
        ['Cart.pay', 3, 'Cart.pay'],
        ['HTMLButtonElement.<anonymous>', 3, 'HTMLButtonElement.<anonymous>'],
      ],
    )
  })

  it('are taken as text too, with the version of the headers', async () => {
    const text = 'TypeError: gone\n    at pay (address at app.js:1:10)\n    at node:internal/x:1:1\n'
    const answer = await server.call('POST', `/v1/applications/${app.id}/crashes`, {
      body: text,
      headers: { 'X-Service-Short-Version': '1.0', 'X-Service-Version': '7' },
    })
    assert.equal(answer.status, 202, answer.text)
    await waitUntilRead(server, app.id)
    const crashes = [...(await listCrashes(server, app)).values()].map(({ crash }) => crash)
    const sent = crashes.find(({ source }) => source === 'android')
    assert.equal(sent?.platform, 'javascript')
    assert.deepEqual(sent.exceptions, [{ type: 'TypeError', message: 'gone' }])
    assert.deepEqual([sent.frames[0]?.function, sent.frames[0]?.line, sent.frames[0]?.column], ['pay', 2, 3])
  })
})

interface TruthEvent {
  file: string
  protocol: string
  sourceId: string
  shortVersion: string
  version: string
  package: string
  map: string
  mapDebugId: string | null
  bundleName: string
  frames: { line: number; column: number; jsExpect: [string | null, number, number, string | null] }[]
}

const fixtures = findNativeFixtures()

describe('events of SDKs of JavaScript', { skip: fixtures === undefined }, async () => {
  if (fixtures === undefined) return
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())
  const truth: { events: TruthEvent[] } = JSON.parse(readFileSync(join(fixtures, 'events-truth.json'), 'utf8'))
  const { maps }: { maps: { name: string; map: string }[] } = JSON.parse(
    readFileSync(join(fixtures, 'sourcemap-truth.json'), 'utf8'),
  )
  const events = truth.events.filter((event) => typeof event.map === 'string')
  const first = await createCrashApplication(server, 'maps-first')
  const last = await createCrashApplication(server, 'maps-last')

  const uploadMaps = async (alias: string) => {
    for (const { map, mapDebugId, bundleName, package: packageName, shortVersion, version } of events) {
      const path = maps.find(({ name }) => name === map)?.map ?? ''
      const release = {
        'X-Service-Package': packageName,
        'X-Service-Version-Name': shortVersion,
        'X-Service-Version-Code': version,
        'X-Service-Bundle-Name': bundleName,
      }
      const headers = mapDebugId === null ? release : { 'X-Service-Debug-Id': mapDebugId }
      await upload(server, alias, readFileSync(join(fixtures, 'sourcemaps', path), 'utf8'), headers)
    }
  }
  const sendAll = async (application: CrashApplication) => {
    for (const { file, protocol } of events) {
      const answer = await deliver(server, application, protocol, readFileSync(join(fixtures, file)))
      assert.equal(answer.status, 200, answer.text)
    }
    await waitUntilRead(server, application.id)
  }

  it('have the lines that the maps say', async () => {
    assert.ok(events.length >= 5)
    await uploadMaps('maps-first')
    await sendAll(first)
    const crashes = await listCrashes(server, first)
    for (const { sourceId, frames } of events) {
      const crash = crashes.get(sourceId)?.crash
      assert.equal(crash?.frames.length, frames.length)
      for (const [place, { line, column, jsExpect }] of frames.entries()) {
        const frame: Crash['frames'][number] | undefined = crash.frames[place]
        assert.deepEqual([frame?.reported?.line, frame?.reported?.column], [line, column])
        if (jsExpect[0] === null) assert.equal(frame?.line, line)
        else assert.deepEqual([frame?.file, frame?.line, frame?.column], jsExpect.slice(0, 3))
        if (jsExpect[3] !== null) assert.equal(frame?.function, jsExpect[3])
        assert.equal(frame?.isApp, !/node_modules/.test(jsExpect[0] ?? ''))
      }
    }
    assert.deepEqual(await listMissing(server, first), [])
  })

  it('have the same frames, groups and counters when the maps come late', async () => {
    await sendAll(last)
    assert.equal((await listMissing(server, last)).length, events.length)
    await uploadMaps('maps-last')
    const { json } = await waitUntilRead(server, last.id)
    assert.equal(json.pendingCount, 0)
    const [early, late] = [await listCrashes(server, first), await listCrashes(server, last)]
    for (const [sourceId, { crash, key, count }] of early) {
      const other = late.get(sourceId)
      assert.deepEqual(other?.crash.frames, crash.frames)
      assert.deepEqual([other.key, other.count], [key, count])
    }
    assert.deepEqual(await listMissing(server, last), [])
  })
})
