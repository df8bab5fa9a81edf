/** Whatever a crash does not tell, frames that nobody can read say that symbols are missing. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { createCrashApplication, deliver, waitUntilRead } from '../testing/crashes.ts'
import { startServer } from '../testing/start-server.ts'

describe('the missing symbols', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())

  const send = async (alias: string, event: object) => {
    const app = await createCrashApplication(server, alias)
    const answer = await deliver(server, app, 'sentry-store', JSON.stringify({ level: 'fatal', ...event }))
    assert.equal(answer.status, 200, answer.text)
    await waitUntilRead(server, app.id)
    const { json: missing } = await server.call('GET', `/v1/applications/${app.id}/missingSymbols`)
    const { json: groups } = await server.call('GET', `/v1/applications/${app.id}/crashGroups`)
    return { missing, names: groups[0].missingSymbols }
  }
  const renamed = { frames: [{ module: 'a.b', function: 'a', filename: 'SourceFile', lineno: 1 }] }
  const java = { platform: 'java', exception: { values: [{ type: 'ab', stacktrace: renamed }] } }

  it('name the release of renamed frames although it has no build number', async () => {
    const { missing, names } = await send('no-build', { ...java, release: 'org.shop@1.2' })
    assert.deepEqual(
      missing.map(({ kind, package: name, shortVersion, version }: Record<string, unknown>) => [
        kind,
        name,
        shortVersion,
        version,
      ]),
      [['proguard', 'org.shop', '1.2', null]],
    )
    assert.deepEqual(names, ['org.shop 1.2'])
  })

  it('are told of renamed frames without any release', async () => {
    const { missing, names } = await send('no-release', java)
    assert.equal(missing.length, 1)
    assert.deepEqual(names, ['a release without a name'])
  })

  it('are counted for one group by its id, as well as for the whole application', async () => {
    const app = await createCrashApplication(server, 'two-groups')
    for (const type of ['Gone', 'Late', 'Late']) {
      const exception = { values: [{ type, stacktrace: { frames: [{ module: 'a.b', function: 'a', lineno: 1 }] } }] }
      const event = { platform: 'java', level: 'fatal', release: 'org.shop@1.2+7', exception }
      assert.equal((await deliver(server, app, 'sentry-store', JSON.stringify(event))).status, 200)
    }
    await waitUntilRead(server, app.id)
    const root = `/v1/applications/${app.id}`
    const list = async (query: string) => {
      const { status, json } = await server.call('GET', `${root}/missingSymbols${query}`)
      assert.equal(status, 200)
      return json.map((one: Record<string, unknown>) => [one['version'], one['stackCount'], one['crashCount']])
    }
    assert.deepEqual(await list(''), [['7', 2, 3]])
    const { json: groups } = await server.call('GET', `${root}/crashGroups`)
    assert.equal(groups.length, 2)
    for (const { id, crashCount } of groups) {
      assert.deepEqual(await list(`?crashGroupId=${id}`), [['7', 1, crashCount]])
    }
    assert.deepEqual(await list('?crashGroupId=999999'), [])
    assert.equal((await server.call('GET', `${root}/missingSymbols?crashGroupId=x`)).status, 400)
  })

  it('are one mapping where a crash names both its id and its release', async () => {
    const id = '8b2f7a6e-0c5d-4f10-9f51-6f3b2a9d7c01'
    const event = { ...java, release: 'org.shop@1.2+7', debug_meta: { images: [{ type: 'proguard', uuid: id }] } }
    const { missing, names } = await send('named-mapping', event)
    assert.deepEqual(
      missing.map(({ uuid, version }: Record<string, unknown>) => [uuid, version]),
      [[id, '7']],
    )
    assert.deepEqual(names, [id])
  })

  it('are the image of an Apple app in an application of Android', async () => {
    const uuid = 'd0bf2c7e-3f5a-3c8e-9a41-5b6c7d8e9f10'
    const image = {
      type: 'macho',
      debug_id: uuid,
      code_file: '/var/Shop.app/Shop',
      image_addr: '0x1000',
      image_size: 4096,
    }
    const stacktrace = { frames: [{ instruction_addr: '0x1010', package: '/var/Shop.app/Shop' }] }
    const exception = { values: [{ type: 'SIGABRT', stacktrace }] }
    const { missing, names } = await send('apple', { platform: 'cocoa', debug_meta: { images: [image] }, exception })
    assert.deepEqual(
      missing.map(({ kind, uuid: id, name }: Record<string, unknown>) => [kind, id, name]),
      [['dsym', uuid, 'Shop']],
    )
    assert.deepEqual(names, [uuid])
  })

  it('are the name of a library that has no build id', async () => {
    const frames = [
      { instruction_addr: '0x7000', package: '/system/lib64/libc.so' },
      { instruction_addr: '0x1010', package: '/data/app/org.shop-1/lib/arm64/libcart.so' },
    ]
    const exception = { values: [{ type: 'SIGSEGV', stacktrace: { frames } }] }
    const { missing, names } = await send('no-build-id', { platform: 'native', exception })
    assert.deepEqual(
      missing.map(({ kind, uuid, name }: Record<string, unknown>) => [kind, uuid, name]),
      [['elf', null, 'libcart.so']],
    )
    assert.deepEqual(names, ['libcart.so'])
  })

  it('are an image without a name for addresses in no image, but not for those behind the last frame', async () => {
    const known = { function: 'main', package: '/system/lib64/libc.so' }
    const exceptionOf = (frames: object[]) => ({ values: [{ type: 'SIGSEGV', stacktrace: { frames } }] })
    const address = { instruction_addr: '0x7000' }
    const inner = await send('addresses', { platform: 'native', exception: exceptionOf([known, address]) })
    const alone = await send('only-addresses', { platform: 'native', exception: exceptionOf([address]) })
    const outer = await send('stray-address', { platform: 'native', exception: exceptionOf([address, known]) })
    assert.deepEqual(
      [inner, alone, outer].map(({ names }) => names),
      [['an image without a name'], ['an image without a name'], []],
    )
    assert.deepEqual([inner.missing[0].kind, inner.missing[0].uuid], ['elf', null])
  })

  it('are the bundle of a frame of JavaScript without a column', async () => {
    const frames = [{ function: 'pay', filename: 'https://shop.example/app.js', lineno: 1 }]
    const exception = { values: [{ type: 'TypeError', stacktrace: { frames } }] }
    const { names } = await send('no-column', { platform: 'javascript', exception })
    assert.deepEqual(names, ['app.js'])
  })

  it('are the mapping for names of three letters without a source file', async () => {
    const frames = [{ module: 'a.b.abc', function: 'a', filename: 'Unknown Source', lineno: 3 }]
    const exception = { values: [{ type: 'IllegalStateException', stacktrace: { frames } }] }
    const { names } = await send('three-letters', { platform: 'java', release: 'org.shop@1.2+3', exception })
    assert.deepEqual(names, ['org.shop 1.2 (3)'])
    const own = [{ module: 'org.shop.api', function: 'get', filename: 'api.kt', lineno: 3 }]
    const named = { values: [{ type: 'IllegalStateException', stacktrace: { frames: own } }] }
    assert.deepEqual((await send('three-own', { platform: 'java', exception: named })).names, [])
  })

  it('name the release where a renamed class overrides a method of the platform', async () => {
    for (const [number, [module, method]] of [
      ['abc', 'onCreate'],
      ['abc', 'invokeSuspend'],
      ['org.shop.abc', '<init>'],
      ['ab$cd', 'run'],
    ].entries()) {
      const exception = {
        values: [{ type: 'java.lang.Error', stacktrace: { frames: [{ module, function: method }] } }],
      }
      const { names } = await send(`override-${number}`, { platform: 'java', release: 'org.shop@1.2+3', exception })
      assert.deepEqual(names, ['org.shop 1.2 (3)'], `${module}.${method}`)
    }
    const own = [{ module: 'org.shop.Cart', function: 'onCreate' }]
    const exception = { values: [{ type: 'java.lang.Error', stacktrace: { frames: own } }] }
    assert.deepEqual((await send('override-own', { platform: 'java', exception })).names, [])
  })

  it('are an image without a name where the sender says that the outermost address is of the app', async () => {
    const frames = [
      { instruction_addr: '0x7000', in_app: true },
      { function: 'main', package: '/system/lib64/libc.so' },
    ]
    const exception = { values: [{ type: 'SIGSEGV', stacktrace: { frames } }] }
    const { names } = await send('own-address', { platform: 'native', exception })
    assert.deepEqual(names, ['an image without a name'])
  })

  it('are none for short names of Python', async () => {
    const frames = [{ module: 'db', function: 'q', filename: 'db.py', lineno: 3 }]
    const exception = { values: [{ type: 'e', stacktrace: { frames } }] }
    const { missing, names } = await send('python', { platform: 'python', release: 'shop@1.2+3', exception })
    assert.deepEqual([missing, names], [[], []])
  })

  it('are none for frames with their own names', async () => {
    const own = { frames: [{ module: 'org.shop.Cart', function: 'total', filename: 'Cart.kt', lineno: 7 }] }
    const { missing, names } = await send('named', {
      ...java,
      exception: { values: [{ type: 'Gone', stacktrace: own }] },
    })
    assert.deepEqual([missing, names], [[], []])
  })

  it('are those of the same app on the other platform as well, whose symbols count', async () => {
    const [android, ios] = [
      await createCrashApplication(server, 'twin-android'),
      await createCrashApplication(server, 'twin-ios', 'ios'),
    ]
    const link = { json: { linkedApplicationId: ios.id } }
    assert.equal((await server.call('PATCH', `/v1/applications/${android.id}`, link)).status, 200)
    await deliver(server, ios, 'sentry-store', JSON.stringify({ ...java, release: 'org.shop@1.2+7' }))
    await waitUntilRead(server, ios.id)
    const list = async ({ id }: { id: number }) => {
      const { json } = await server.call('GET', `/v1/applications/${id}/missingSymbols`)
      return json.map((one: Record<string, unknown>) => [
        one['kind'],
        one['package'],
        one['version'],
        one['crashCount'],
      ])
    }
    for (const app of [android, ios]) assert.deepEqual(await list(app), [['proguard', 'org.shop', '7', 1]])
    const headers = {
      'X-Service-Application-Alias': 'twin-android',
      'X-Service-Package': 'org.shop',
      'X-Service-Version-Name': '1.2',
      'X-Service-Version-Code': '7',
    }
    const body = 'org.shop.Cart -> a.b:\n    1:1:void load():7:7 -> a\n'
    assert.equal((await server.call('POST', '/v2/symbolsFiles', { headers, body })).status, 201)
    await waitUntilRead(server, ios.id)
    for (const app of [android, ios]) assert.deepEqual(await list(app), [])
    const { json: groups } = await server.call('GET', `/v1/applications/${ios.id}/crashGroups`)
    assert.equal(groups[0].culprit, 'org.shop.Cart.load')
  })
})
