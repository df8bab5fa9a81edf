/** What Sentry's SDKs really sent, as `scripts/record-sdks.ts` has recorded it, beside what the apps did. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import type { ReadCrash } from '../crash.ts'
import { scrubCrash } from '../privacy/scrub.ts'
import { resolveStack } from '../stack/resolve-stack.ts'
import { toStackContent } from '../stack/stack-content.ts'
import { readEnvelope, readStoreBody } from './read-envelope.ts'

interface Truth {
  exceptions: [type: string, message: string][]
  kind: ReadCrash['kind']
  isFatal: boolean
  environment: string
  tenant: string
  release: (string | null)[]
  installId: string | null
  platform: ReadCrash['platform']
  /** Innermost first; the frames of the runtime follow. */
  frames: [name: string, file: string, line: number, inApp: boolean][]
  frameCount: number
  breadcrumbs: [type: string, category: string, message: string | null, data: Record<string, string>][]
  /** Of the group, without the types. */
  key: string[]
}

const opened: Truth['breadcrumbs'][number] = ['default', 'cart', 'opened by ada@example.com', {}]
const shop = { environment: 'staging', tenant: 'acme', release: ['shop', '2.1.0', '42'] }
const ruby: Omit<Truth, 'installId' | 'frames' | 'key'> = {
  ...shop,
  exceptions: [
    ['ArgumentError', 'no cart for ada@example.com'],
    ['KeyError', 'key not found: "cart"'],
  ],
  kind: 'handled',
  isFatal: false,
  platform: 'other',
  frameCount: 4,
  breadcrumbs: [opened],
}

const page = 'http://127.0.0.1:27010/app.js'

const truth: Record<string, Truth> = {
  'node.envelope': {
    ...shop,
    exceptions: [
      ['TypeError', 'payment failed'],
      ['RangeError', 'no cart 17 for ada@example.com'],
    ],
    kind: 'handled',
    isFatal: false,
    installId: 'seven',
    platform: 'javascript',
    frames: [
      ['loadCart', '/tmp/shop/node-app.mjs', 15, true],
      ['pay', '/tmp/shop/node-app.mjs', 20, true],
    ],
    frameCount: 6,
    breadcrumbs: [
      ['user', 'cart', 'opened by ada@example.com', {}],
      ['http', 'http', null, { method: 'GET', url: 'https://h.example/x', status_code: '500' }],
    ],
    key: ['node-app.loadCart'],
  },
  'browser.envelope': {
    exceptions: [['TypeError', "Cannot read properties of undefined (reading 'length')"]],
    kind: 'crash',
    isFatal: true,
    environment: 'preview',
    tenant: 'globex',
    release: ['web', '3.0', null],
    installId: 'eight',
    platform: 'javascript',
    frames: [['readBasket', page, 5875, true]],
    frameCount: 2,
    breadcrumbs: [
      ['default', 'ui.click', 'body > button#pay', {}],
      ['http', 'fetch', null, { method: 'GET', url: '/api/basket', status_code: '404' }],
    ],
    key: ['app.readBasket'],
  },
  'react.envelope': {
    exceptions: [['TypeError', "Cannot read properties of undefined (reading 'toFixed')"]],
    kind: 'crash',
    isFatal: true,
    environment: 'production',
    tenant: 'initech',
    release: ['web', '3.1', '310'],
    installId: null,
    platform: 'javascript',
    frames: [
      ['Price', page, 17_361, true],
      ['renderWithHooks', page, 9723, true],
    ],
    frameCount: 10,
    breadcrumbs: [],
    key: ['app.Price'],
  },
  'python.store': {
    ...shop,
    exceptions: [
      ['ValueError', 'no cart for ada@example.com'],
      ['KeyError', "'cart 17'"],
    ],
    kind: 'crash',
    isFatal: true,
    installId: 'nine',
    platform: 'other',
    frames: [
      ['__main__.load_cart', 'python_app.py', 15, true],
      ['__main__.pay', 'python_app.py', 20, true],
    ],
    frameCount: 2,
    breadcrumbs: [opened],
    key: ['__main__.load_cart'],
  },
  'ruby-raven.store': {
    ...ruby,
    installId: 'ten',
    key: ['fetch', 'raven_app.load_cart'],
    frames: [
      ['fetch', 'lib/raven_app.rb', 17, true],
      ['load_cart', 'lib/raven_app.rb', 17, true],
    ],
  },
  'ruby.envelope': {
    ...ruby,
    installId: 'eleven',
    key: ['fetch', 'sentry_app.load_cart'],
    frames: [
      ['fetch', 'lib/sentry_app.rb', 17, true],
      ['load_cart', 'lib/sentry_app.rb', 17, true],
    ],
  },
}

const folder = join(import.meta.dirname, '../../test/sdks')

function read(file: string): ReadCrash {
  const body = readFileSync(join(folder, file))
  const { crashes, dropped } = file.endsWith('.store') ? readStoreBody(body) : readEnvelope(body)
  assert.deepEqual([crashes.length, dropped], [1, []])
  const [crash] = crashes
  assert.ok(crash)
  return crash
}

describe('an event of a real SDK', () => {
  for (const [file, expected] of Object.entries(truth)) {
    it(`is read as it was: ${file}`, () => {
      const crash = read(file)
      const { frames, frameCount, breadcrumbs, exceptions, tenant, release, key, ...rest } = expected
      const { kind, isFatal, environment, installId, platform } = crash
      assert.deepEqual({ kind, isFatal, environment, installId, platform }, rest)
      assert.deepEqual(crash.tags, { tenant })
      assert.deepEqual([crash.package, crash.shortVersion, crash.version], release)
      assert.deepEqual(
        crash.exceptions.map(({ type, message }) => [type, message]),
        exceptions,
      )
      assert.deepEqual(
        crash.frames
          .slice(0, frames.length)
          .map(({ className, methodName, function: name, file, line, inApp }) => [
            className === null ? name : `${className}.${methodName}`,
            file,
            line,
            inApp,
          ]),
        frames,
      )
      assert.equal(crash.frames.length, frameCount)
      assert.deepEqual(
        crash.breadcrumbs.map(({ type, category, message, data }) => [type, category, message, data]),
        breadcrumbs,
      )
      const content = toStackContent(scrubCrash(crash))
      const resolved = resolveStack(content, { lookups: new Map(), mappings: [] }, { rules: [], identifiers: [] })
      assert.deepEqual(resolved.key.lines, [kind, ...exceptions.map(([type]) => type), ...key])
      assert.doesNotMatch(
        JSON.stringify(scrubCrash(crash), (_key, value) => toJson(value)),
        /ada@example/,
      )
    })
  }

  it('of React lists the components around the one that failed among the threads', () => {
    const { threads } = read('react.envelope')
    assert.deepEqual(
      threads.map(({ name, isCrashed, frames }) => [
        name,
        isCrashed,
        frames.slice(0, 3).map((frame) => frame.function),
      ]),
      [
        [null, true, ['Price', 'renderWithHooks', 'updateFunctionComponent']],
        ['React components', false, ['Price', 'ul', 'Basket']],
      ],
    )
  })

  it('tells the device without blanks around its facts', () => {
    const { contexts, osVersion } = read('node.envelope')
    assert.deepEqual([contexts.os['version'], osVersion], ['12.11', '12.11'])
  })
})

function toJson(value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
