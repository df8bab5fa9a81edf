import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { StandardSchema } from '@fairlead/channel'
import { launch, type LaunchedApp } from '@fairlead/channel/test'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import { messages, User } from './apps/messages.ts'
import { catchError, catchRejection } from './expect-error.ts'

let app: LaunchedApp
before(async () => {
  app = await launch({ command: process.execPath, args: [join(import.meta.dirname, 'apps', 'values.ts')] })
})
after(() => app.close())

const echo = (content: unknown) => app.xpcService.send('echo', content, { decoding: Object })

describe('values that are sent', () => {
  const values: [string, unknown][] = [
    ['JSON', { a: [1, 'two', true, null, { b: {} }], ä: 'ö', '': 0.5 }],
    ['text of every plane', 'aé漢😀\u0000\u2028\ud800'],
    ['undefined in places', [undefined, { a: undefined }, null]],
    ['numbers that JSON lacks', [Number.NaN, Infinity, -Infinity, -0, 0, 1e308, 5e-324]],
    ['bigint', [0n, -(2n ** 70n)]],
    ['Date', [new Date(0), new Date(-1), new Date(Number.NaN)]],
    [
      'Map',
      new Map<unknown, unknown>([
        ['a', 1],
        [{ key: 1 }, new Map([[1, [undefined]]])],
      ]),
    ],
    ['Set', new Set([1, 'a', new Set([null])])],
    ['RegExp', /a\/b(?<c>d)/giu],
    ['URL', new URL('https://example.test/ä?b=c#d')],
    [
      'binary views',
      {
        a: new Uint8Array([1, 2, 255]),
        b: new Float64Array([1.5, -0]),
        c: new BigInt64Array([-1n]),
        d: new DataView(new ArrayBuffer(3)),
        e: new ArrayBuffer(2),
        f: new Uint16Array(),
      },
    ],
    ['keys that look like tags', { $: ['Date', 0], $$: 1, $name: { $: 2 } }],
    ['long texts', ['a"\\\n'.repeat(500), 'wörd '.repeat(300), { deep: ['漢😀'.repeat(700)] }, '\ufffd'.repeat(1024)]],
    ['a long text alone', 'x'.repeat(2_000_000)],
    ['a long text that has no UTF-8', { text: `${'x'.repeat(2000)}\ud800` }],
    [
      'long texts among short values',
      { text: 'x'.repeat(1024), list: Array.from({ length: 100 }, (_, index) => index) },
    ],
    [
      'long texts beside bytes, tags and keys that look like tags',
      {
        $: ['String', 0],
        at: new Date(1),
        bytes: new Uint8Array(3),
        ['x'.repeat(2000)]: new Map([[1, 'y'.repeat(2000)]]),
      },
    ],
    ['long texts under __proto__', JSON.parse(`{"__proto__": "${'x'.repeat(2000)}", "a": {"__proto__": {"b": "c"}}}`)],
    ['a key named __proto__', JSON.parse('{"__proto__": {"polluted": true}, "$": 1}')],
  ]
  for (const [name, value] of values) {
    test(name, () => {
      assert.deepEqual(echo(value), value)
      assert.deepEqual(echo([{ deep: value }]), [{ deep: value }])
    })
  }

  test('keys never change a prototype', () => {
    const value = echo(JSON.parse('{"__proto__": {"polluted": true}, "$": 1}'))
    assert.equal(Object.getPrototypeOf(value), Object.prototype)
    assert.equal(({} as { polluted?: boolean }).polluted, undefined)
  })

  test('errors keep their class, message, stack, cause and own fields', () => {
    const error = Object.assign(new TypeError('no', { cause: [new Error('why')] }), { code: 'E_NO' })
    const back = echo(new AggregateError([error], 'all'))
    assert.ok(back instanceof AggregateError)
    const [inner]: unknown[] = back.errors
    assert.ok(inner instanceof TypeError && 'code' in inner)
    assert.equal(inner.stack, error.stack)
    assert.equal(inner.code, 'E_NO')
    assert.ok(Array.isArray(inner.cause) && inner.cause[0] instanceof Error)
    assert.equal(inner.cause[0].message, 'why')
  })

  test('values that cannot be sent are refused with their path', () => {
    const refused: [unknown, string][] = [
      [{ a: { b: Symbol('s') } }, 'a.b'],
      [{ 'a-b': [0, () => 1] }, '["a-b"][1]'],
      [new Map([['k', () => 1]]), '<get("k")>'],
      [{ later: Promise.resolve() }, 'later'],
    ]
    for (const [value, path] of refused) {
      const error = catchError(() => echo(value))
      assert.equal(error.code, 'encoding')
      assert.equal(error.path, path)
    }
    let deep: unknown = 1
    for (let level = 0; level < 5000; level++) deep = [deep]
    assert.match(catchError(() => echo(deep)).message, /deeper than 1000/)
  })
})

describe('a catalogue of messages', () => {
  test('types contents and answers by their descriptors', async () => {
    const service = app.xpcService.with(messages)
    const user: User = service.send('user', 42)
    assert.ok(user instanceof User)
    assert.equal(user.id, 42)
    const users: User[] = await service.sendAsync('users')
    assert.deepEqual(users, [new User(1, []), new User(2, ['x'])])
    assert.deepEqual(service.send('rename', { user: { id: 1, tags: ['a'] }, name: 'b' }), new User(1, ['a', 'b']))
    const total: bigint = service.send('total', [1n, 2n])
    assert.equal(total, 3n)
    assert.deepEqual(service.send('bytes', new Uint8Array([1, 2])), new Uint8Array([2, 3]))
    service.send('reset')
    service.send('reset', undefined, { timeout: 1000 })
    await new Promise<void>((resolve) => {
      service.sendAsync('user', 7, {}, (result) => {
        assert.ok(result.ok)
        assert.equal(result.value.id, 7)
        resolve()
      })
    })
  })

  test('is checked by the compiler', () => {
    const service = app.xpcService.with(messages)
    const mistakes = () => {
      // @ts-expect-error unknown name
      service.send('usr', 42)
      // @ts-expect-error wrong content
      service.send('user', '42')
      // @ts-expect-error missing content
      service.send('user')
      // @ts-expect-error wrong type of answer
      const answer: string = service.send('user', 42)
      return answer
    }
    assert.equal(typeof mistakes, 'function')
  })

  test('accepts schemas of zod, valibot and arktype', async () => {
    const service = app.xpcService.with(messages)
    const at = new Date(5)
    assert.deepEqual(service.send('zod', { amount: 1, at }), { amount: 2, at })
    assert.equal(await service.sendAsync('valibot', ['ab', 'cd']), 2)
    assert.equal(service.send('arktype', { when: at }), 5)
  })

  test('accepts any synchronous Standard Schema and refuses an asynchronous one', () => {
    const schema: StandardSchemaV1<unknown, number> & StandardSchema<unknown, number> = {
      '~standard': { version: 1, vendor: 'test', validate: async () => ({ value: 1 }) },
    }
    const error = catchError(() => app.xpcService.send('echo', 1, { decoding: schema }))
    assert.equal(error.code, 'decoding')
    assert.match(error.message, /asynchronous/)
  })

  test('rejects content that violates its schema with the path, before anything is written', async () => {
    const service = app.xpcService.with(messages)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it violates the type on purpose
    const zod = catchError(() => service.send('zod', { amount: 'much', at: new Date() } as never))
    assert.deepEqual([zod.code, zod.path], ['encoding', 'amount'])
    const valibot = await catchRejection(service.sendAsync('valibot', ['ab', 'c']))
    assert.deepEqual([valibot.code, valibot.path], ['encoding', '[1]'])
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it violates the type on purpose
    const arktype = catchError(() => service.send('arktype', { when: new Date(), note: 1 } as never))
    assert.deepEqual([arktype.code, arktype.path], ['encoding', 'note'])
    const answer = catchError(() => service.send('arktype', { when: new Date(-5) }))
    assert.equal(answer.code, 'encoding')
    const remote = catchError(() => app.xpcService.send('zod', { amount: 1, at: 'never' }))
    assert.deepEqual([remote.code, remote.path], ['decoding', 'at'])
  })

  test('can be omitted; results are then typed by the descriptor', async () => {
    const number: number = await app.xpcService.sendAsync('echo', 5, { decoding: Number })
    const dates: Date[] = app.xpcService.send('echo', [new Date(1)], { decoding: [Date] })
    assert.deepEqual([number, dates], [5, [new Date(1)]])
    const error = catchError(() => app.xpcService.send('echo', [new Date(1), 'later'], { decoding: [Date] }))
    assert.deepEqual([error.code, error.path], ['decoding', '[1]'])
    await new Promise<void>((resolve) => {
      app.xpcService.sendAsync('echo', 'x', { decoding: Number }, (result) => {
        assert.ok(!result.ok)
        assert.equal(result.error.code, 'decoding')
        resolve()
      })
    })
  })
})

describe('authorization statuses', () => {
  test('come from the app’s own answers', () => {
    assert.equal(app.contactsAuthorizationStatus, 'limited')
    assert.equal(app.locationAuthorizationStatus, 'authorizedAlways')
    assert.equal(app.mediaAuthorizationStatus({ for: 'video' }), 'authorized')
    assert.equal(app.mediaAuthorizationStatus({ for: 'audio' }), 'denied')
    assert.equal(app.eventKitAuthorizationStatus({ for: 'event' }), 'fullAccess')
    assert.equal(app.eventKitAuthorizationStatus({ for: 'reminder' }), 'writeOnly')
    assert.equal(app.userNotificationSettingsAuthorizationStatus, 'provisional')
    assert.equal(app.photoLibraryAuthorizationStatus({ for: 'readWrite' }), 'limited')
    assert.equal(app.photoLibraryAuthorizationStatus({ for: 'addOnly' }), 'authorized')
    assert.equal(app.healthKitAuthorizationStatus({ for: 'workout' }), 'sharingAuthorized')
  })

  test('are unavailable if the platform has no such permission', async () => {
    const plainApp = join(import.meta.dirname, 'apps', 'echo.ts')
    await using plain = await launch({ command: process.execPath, args: [plainApp] })
    assert.equal(plain.contactsAuthorizationStatus, 'unavailable')
    assert.equal(plain.mediaAuthorizationStatus({ for: 'video' }), 'unavailable')
    assert.equal(plain.healthKitAuthorizationStatus({ for: 'workout' }), 'unavailable')
  })

  test('are refused if an answer is not a valid status', () => {
    assert.match(
      catchError(() => app.xpcService.send('echo', 'maybe', { decoding: Number })).message,
      /expected number/,
    )
  })
})
