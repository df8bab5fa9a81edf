/** Two bugs in functions of one name are two groups, and one bug is one group wherever its program is packed. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readAcraReport } from '../acra/read-report.ts'
import { readLogs } from '../app-center/read-logs.ts'
import type { ReadCrash } from '../crash.ts'
import { scrubCrash } from '../privacy/scrub.ts'
import { readReport } from '../raw/read-report.ts'
import { readStoreBody } from '../sentry/read-envelope.ts'
import { resolveStack } from '../stack/resolve-stack.ts'
import { toStackContent } from '../stack/stack-content.ts'

interface Frame {
  function?: string
  filename: string
  lineno: number
  colno?: number
  module?: string
  in_app?: boolean
}

/** The key of an event as SDKs send it, but for the kind and the type. `frames` are innermost first. */
function keyOf(platform: string, frames: Frame[], value = 'gone'): string[] {
  const stacktrace = { frames: frames.map((frame) => ({ in_app: true, ...frame })).toReversed() }
  const event = { event_id: 'a'.repeat(32), platform, exception: { values: [{ type: 'E', value, stacktrace }] } }
  const [crash] = readStoreBody(Buffer.from(JSON.stringify(event))).crashes
  const lines = linesOf(crash)
  assert.deepEqual(lines.slice(0, 2), ['handled', 'E'])
  return lines.slice(2)
}

function linesOf(crash: ReadCrash | undefined): string[] {
  assert.ok(crash)
  const content = toStackContent(scrubCrash(crash))
  return resolveStack(content, { lookups: new Map(), mappings: [] }, { rules: [], identifiers: [] }).key.lines
}

const script = (name: string | undefined, filename: string, more: Partial<Frame> = {}): Frame => {
  return { ...(name !== undefined && { function: name }), filename, lineno: 7, colno: 9, ...more }
}

describe('two bugs', () => {
  it('of Ruby in one method of the language are told by the methods of the app that call it', () => {
    const keys = ['load_cart', 'load_user'].map((caller, place) => {
      const own = { filename: 'app/shop.rb', lineno: 17 + place }
      return keyOf('ruby', [
        { function: 'fetch', ...own },
        { function: caller, ...own },
      ])
    })
    assert.deepEqual(keys, [
      ['fetch', 'shop.load_cart'],
      ['fetch', 'shop.load_user'],
    ])
  })

  it('of Ruby in blocks and rescues are named by the methods around them', () => {
    const place = { filename: 'app/shop.rb' }
    const frames = (name: string) => [
      { function: name, ...place, lineno: 18 },
      { function: 'each', ...place, lineno: 17 },
      { function: 'load_cart', ...place, lineno: 17 },
    ]
    for (const name of ['block in load_cart', 'block (2 levels) in load_cart', 'rescue in block in load_cart']) {
      assert.deepEqual(keyOf('ruby', frames(name)), ['shop.load_cart'], name)
      const onOneLine = frames(name).map((frame) => ({ ...frame, lineno: 17 }))
      assert.deepEqual(keyOf('ruby', onOneLine), ['shop.load_cart'], name)
    }
  })

  it('of Rails in one action of two controllers are told by their files', () => {
    const keys = ['carts', 'users'].map((name) => {
      return keyOf('ruby', [{ function: 'show', filename: `app/controllers/${name}_controller.rb`, lineno: 4 }])
    })
    assert.deepEqual(keys, [['carts_controller.show'], ['users_controller.show']])
    const views = ['___2347834_1234', '__8123_77'].map((numbers) => {
      return keyOf('ruby', [
        { function: `_app_views_carts_show_html_erb${numbers}`, filename: 'app/views/carts/show.html.erb', lineno: 2 },
      ])
    })
    assert.deepEqual(views[0], views[1])
  })

  it('of Node without source maps are told by their files, wherever these are installed', () => {
    const keys = ['/srv/a/cart.js', '/srv/a/user.mjs', 'C:\\shop\\user.mjs', 'file:///srv/b/user.mjs'].map((file) => {
      return keyOf('node', [script('handler', file)])
    })
    assert.deepEqual(keys, [['cart.handler'], ['user.handler'], ['user.handler'], ['user.handler']])
    assert.deepEqual(keyOf('node', [script('handler', '/srv/a/cart/index.js')]), ['cart.handler'])
    assert.deepEqual(keyOf('node', [script('handler', '/srv/20261127/index.js')]), ['handler'])
  })

  it('of browsers in functions without a name are told by their callers and files', () => {
    const page = 'https://shop.example/js'
    const keys = ['pay', 'load'].map((caller) => {
      return keyOf('javascript', [script('?', `${page}/app.js`), script(caller, `${page}/app.js`)])
    })
    assert.deepEqual(keys, [
      ['app.?', 'app.pay'],
      ['app.?', 'app.load'],
    ])
    for (const name of [undefined, '<anonymous>', 'anonymous', 'async <anonymous>']) {
      assert.deepEqual(keyOf('javascript', [script(name, `${page}/app.js`), script('pay', `${page}/app.js`)]), keys[0])
    }
    assert.notDeepEqual(
      keyOf('javascript', [script('?', `${page}/cart.js`)]),
      keyOf('javascript', [script('?', `${page}/user.js`)]),
    )
  })

  it('of one file without any name are told by their messages, but for what differs from crash to crash', () => {
    const keys = ['no cart 17', 'no cart 18', 'no user "ada"'].map((message) => {
      return keyOf('javascript', [script('?', '/js/app.js'), script('?', '/js/app.js')], message)
    })
    assert.deepEqual(keys, [
      ['app.?', 'no cart #'],
      ['app.?', 'no cart #'],
      ['app.?', 'no user "…"'],
    ])
    const library = script('handle', '/srv/node_modules/express/lib/layer.js', { in_app: false })
    assert.deepEqual(keyOf('node', [script('?', '/srv/server.js'), library], 'no cart 17'), ['server.?', 'no cart #'])
    assert.deepEqual(keyOf('node', [script('pay', '/srv/server.js'), library], 'no cart 17'), ['server.pay'])
  })

  it('of listeners without a name are told by their messages, because the class is that of their element', () => {
    const listener = script('HTMLButtonElement.<anonymous>', '/assets/index-D8LyfHAX.js')
    const keys = ['no basket', 'no user 17'].map((message) => keyOf('javascript', [listener], message))
    assert.deepEqual(keys, [
      ['HTMLButtonElement.<anonymous>', 'no basket'],
      ['HTMLButtonElement.<anonymous>', 'no user #'],
    ])
  })

  it('of Python in comprehensions and lambdas are told by the functions around them', () => {
    for (const name of ['<listcomp>', '<lambda>', '<genexpr>']) {
      const keys = ['load', 'pay'].map((caller) => {
        const place = { filename: 'shop/cart.py', module: 'shop.cart' }
        return keyOf('python', [
          { function: name, ...place, lineno: 7 },
          { function: caller, ...place, lineno: 7 },
        ])
      })
      assert.deepEqual(keys, [
        [`shop.cart.${name}`, 'shop.cart.load'],
        [`shop.cart.${name}`, 'shop.cart.pay'],
      ])
    }
    assert.deepEqual(keyOf('python', [{ function: 'run', filename: 'jobs/mail.py', lineno: 3 }]), ['mail.run'])
  })
})

describe('two bugs of React Native', () => {
  const toTrace = (name: string) => [
    'com.facebook.react.common.JavascriptException: TypeError: no cart 17, js engine: hermes, stack:',
    `${name}@1:2633`,
    'touchableHandlePress@1:4711',
    '',
    '\tat com.facebook.react.modules.core.ExceptionsManagerModule.reportException(ExceptionsManagerModule.java:95)',
    '\tat java.lang.reflect.Method.invoke(Native Method)',
  ]
  const lines = (name: string) => ['crash', 'TypeError', name]

  it('are told by their functions in a log', () => {
    for (const name of ['onPay', 'onLoad']) {
      const text = ['FATAL EXCEPTION: mqt_native_modules', 'Process: org.shop, PID: 7', ...toTrace(name)]
      const log = text.map((line) => `11-20 09:00:00.000  4711  4730 E AndroidRuntime: ${line}\n`).join('')
      const [crash] = readReport(Buffer.from(log), { shortVersion: null, version: null, installId: null }).crashes
      assert.deepEqual(linesOf(crash), lines(name))
      assert.deepEqual([crash?.source, crash?.platform, crash?.package], ['android', 'javascript', 'org.shop'])
      assert.deepEqual(crash?.exceptions, [{ type: 'TypeError', message: 'no cart 17' }])
      // React Native counts columns from 0.
      assert.deepEqual([crash?.frames.length, crash?.frames[0]?.line, crash?.frames[0]?.column], [2, 1, 2634])
    }
  })

  it('are told by their functions in reports of ACRA and App Center', () => {
    for (const name of ['onPay', 'onLoad']) {
      const report = { REPORT_ID: 'a', STACK_TRACE: toTrace(name).join('\n') }
      const [acra] = readAcraReport(Buffer.from(JSON.stringify(report)), 'application/json').crashes
      assert.deepEqual(linesOf(acra), lines(name))
      const [head = '', ...rest] = toTrace(name).slice(0, 3)
      const colon = head.indexOf(': ')
      const message = [head.slice(colon + 2), ...rest].join('\n')
      const frames = [{ className: 'com.facebook.react.bridge.JavaMethodWrapper', methodName: 'invoke' }]
      const exception = { type: head.slice(0, colon), message, frames }
      const log = { type: 'managedError', id: 'a', fatal: true, exception, device: {} }
      const [appCenter] = readLogs(Buffer.from(JSON.stringify({ logs: [log] })), { installId: null }).crashes
      assert.deepEqual(linesOf(appCenter), lines(name))
      assert.deepEqual([acra?.platform, appCenter?.platform], ['javascript', 'javascript'])
    }
  })
})

describe('one bug', () => {
  it('is one group in bundles whose names a bundler makes anew for each build', () => {
    const names = [
      'main.3f2a1b9c.js',
      'main.77ab01cd.chunk.js',
      'index-DkX9abcQ.js',
      'index-BzTuvWxy.js',
      'index-a_b-cD12.js',
      'chunk-ABCDEFGH.js',
      '17.js',
      'shop-2.4.1.js',
      'main.jsbundle',
      'index.android.bundle',
      '3f2a1b9c0d1e2f3a.mjs',
    ]
    for (const name of names) {
      assert.deepEqual(keyOf('javascript', [script('pay', `https://shop.example/assets/${name}`)]), ['pay'], name)
    }
  })

  it('is one group on pages of all addresses', () => {
    for (const path of ['orders/4711', 'orders/4712?x=1', 'carts.html', '']) {
      assert.deepEqual(keyOf('javascript', [script('pay', `https://shop.example/${path}`)]), ['pay'], path)
    }
    for (const address of ['https://a.example/app.js?v=1', 'http://b.example:8080/x/app.js#y', 'app:///app.js']) {
      assert.deepEqual(keyOf('javascript', [script('pay', address)]), ['app.pay'], address)
    }
  })

  it('keeps its names that contain a class, in all languages without images', () => {
    for (const name of ['CartsController#show', 'App\\Cart::load', 'Cart.load']) {
      assert.deepEqual(keyOf('other', [{ function: name, filename: 'src/cart.txt', lineno: 1 }]), [name])
    }
  })
})
