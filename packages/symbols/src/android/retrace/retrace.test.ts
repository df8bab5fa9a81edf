import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openMappingText } from '../../../test/open-mapping-text.ts'
import { retrace } from '../../index.ts'
import { retraceText } from './retrace.ts'

const shop = `# compiler: R8
# {"id":"com.android.tools.r8.mapping","version":"2.2"}
com.example.shop.Cart -> a.a:
# {"id":"sourceFile","fileName":"Cart.kt"}
    1:1:void com.example.shop.Prices.check(int):40:40 -> a
    1:1:void add(com.example.shop.Item):12 -> a
    2:3:void add(com.example.shop.Item):13:14 -> a
com.example.shop.EmptyCartException -> a.b:
com.example.shop.Sorter -> a.c:
    int compare(int,int) -> a
    int compare(long,long) -> a
com.example.shop.Cart$$Lambda -> a.d:
    1:1:void run() -> a
    # {"id":"com.android.tools.r8.synthesized"}
`

async function retraceShop(trace: string): Promise<string> {
  using mapping = await openMappingText(shop)
  return retraceText(trace, mapping)
}

describe('a trace of an app that R8 optimized', () => {
  it('lists inlined frames, innermost first', async () => {
    assert.equal(
      await retraceShop('\tat a.a.a(SourceFile:1)'),
      '\tat com.example.shop.Prices.check(Prices.java:40)\n\tat com.example.shop.Cart.add(Cart.kt:12)',
    )
  })

  it('lists all methods that an obfuscated name may stand for', async () => {
    using mapping = await openMappingText(shop)
    assert.equal(
      retraceText('\tat a.c.a(SourceFile:9)', mapping, { verbose: true }),
      '\tat com.example.shop.Sorter.int compare(int,int)(Sorter.java:9)\n' +
        '\t<OR> at com.example.shop.Sorter.int compare(long,long)(Sorter.java:9)',
    )
  })

  it('leaves out frames that the compiler generated', async () => {
    assert.equal(
      await retraceShop('\tat a.d.a(SourceFile:1)\n\tat a.a.a(SourceFile:2)'),
      '\tat com.example.shop.Cart.add(Cart.kt:13)',
    )
  })

  it('keeps lines that do not belong to a trace', async () => {
    const log = 'hello (world)\n\n  ... 42 more\n\tat sun.misc.Launcher.main(Native Method)'
    assert.equal(await retraceShop(log), log)
  })
})

describe('improvements over R8', () => {
  it('restores an exception whose message is a single word', async () => {
    assert.equal(
      await retraceShop('java.lang.Error: oh no\nCaused by: a.b: boom'),
      'java.lang.Error: oh no\nCaused by: com.example.shop.EmptyCartException: boom',
    )
  })

  it('restores an exception after every prefix that logcat writes', async () => {
    for (const prefix of [
      'E/AndroidRuntime: ',
      'E/AndroidRuntime( 1234): ',
      'E( 1234) ',
      '11-21 10:00:00.000 E/AndroidRuntime( 1234): ',
      '11-21 10:00:00.000  1234  1299 E AndroidRuntime: ',
      '2026-11-21 10:00:00.000 1234-1299/com.example.shop E/AndroidRuntime: ',
      '2026-11-21 10:00:00.000  1234-1299  AndroidRuntime          com.example.shop                     E  ',
    ]) {
      const trace = `${prefix}a.b: boom\n${prefix}Caused by: a.b: the cart is empty\n${prefix}\tat a.a.a(SourceFile:2)`
      const expected =
        `${prefix}com.example.shop.EmptyCartException: boom\n` +
        `${prefix}Caused by: com.example.shop.EmptyCartException: the cart is empty\n` +
        `${prefix}\tat com.example.shop.Cart.add(Cart.kt:13)`
      assert.equal(await retraceShop(trace), expected)
    }
  })

  it('restores a suppressed exception', async () => {
    assert.equal(
      await retraceShop('\tSuppressed: a.b: boom'),
      '\tSuppressed: com.example.shop.EmptyCartException: boom',
    )
  })

  it('restores an exception after white space', async () => {
    assert.equal(
      await retraceShop('  a.b: the cart is empty'),
      '  com.example.shop.EmptyCartException: the cart is empty',
    )
  })

  it('reads a mapping with indented class lines and member lines without indentation', async () => {
    using mapping = await openMappingText(
      ' foo -> bar:\nvoid someMethod() -> a\n baz -> qux:\nvoid someOtherMethod() -> b\n',
    )
    assert.equal(
      retraceText(' at bar.a(SourceFile)\n at qux.b(SourceFile)', mapping),
      ' at foo.someMethod(foo.java)\n at baz.someOtherMethod(baz.java)',
    )
  })

  it('continues with the mapping of a library that was obfuscated before the app', async () => {
    using app = await openMappingText(
      'sdk.a -> x.y:\n    1:1:void b():7:7 -> c\ncom.example.Main -> x.z:\n    2:2:void main():3:3 -> d\n',
    )
    using sdk = await openMappingText(
      'com.sdk.Tracker -> sdk.a:\n    7:7:void com.sdk.Log.write():90:90 -> b\n    7:7:void send():55 -> b\n',
    )
    assert.equal(
      retraceText('\tat x.y.c(Unknown Source:1)\n\tat x.z.d(Unknown Source:2)', [app, sdk]),
      '\tat com.sdk.Log.write(Log.java:90)\n' +
        '\tat com.sdk.Tracker.send(Tracker.java:55)\n\tat com.example.Main.main(Main.java:3)',
    )
  })
})

describe('the frames of a trace', () => {
  it('have inlined frames, alternatives and the line they come from', async () => {
    using mapping = await openMappingText(shop)
    const { threads, warnings } = retrace(
      'Exception in thread "main" a.b: no\n\tat a.a.a(SourceFile:1)\n' +
        '\tat a.c.a(SourceFile:9)\n\tat java.lang.Thread.run(Thread.java)',
      mapping,
      { verbose: true },
    )
    const nothing = { column: null, module: null, address: null, alternatives: [] }
    const raw = '\tat a.a.a(SourceFile:1)'
    assert.deepEqual(warnings, [])
    assert.equal(threads.length, 1)
    assert.equal(threads[0]?.name, 'main')
    assert.equal(threads[0]?.crashed, true)
    assert.deepEqual(threads[0]?.frames, [
      { function: 'com.example.shop.Prices.check', file: 'Prices.java', line: 40, inlined: true, raw, ...nothing },
      { function: 'com.example.shop.Cart.add', file: 'Cart.kt', line: 12, inlined: false, raw, ...nothing },
      {
        ...nothing,
        function: 'com.example.shop.Sorter.compare',
        file: 'Sorter.java',
        line: 9,
        inlined: false,
        raw: '\tat a.c.a(SourceFile:9)',
        alternatives: [
          [
            {
              function: 'com.example.shop.Sorter.compare',
              file: 'Sorter.java',
              line: 9,
              inlined: false,
              raw: '\tat a.c.a(SourceFile:9)',
              ...nothing,
            },
          ],
        ],
      },
      {
        function: 'java.lang.Thread.run',
        file: 'Thread.java',
        line: null,
        inlined: false,
        raw: '\tat java.lang.Thread.run(Thread.java)',
        ...nothing,
      },
    ])
  })

  it('of an app that did not respond are those of its main thread', async () => {
    using mapping = await openMappingText(shop)
    const frame = '  at a.a.a(SourceFile:2)\n'
    const heads = ['"worker" prio=5 tid=12 Waiting', '"main" prio=5 tid=1 Blocked', '"main" tid=1 Native']
    const { threads } = retrace(heads.map((head) => `${head}\n${frame}`).join('\n'), mapping)
    assert.deepEqual(
      threads.map(({ name, crashed }) => [name, crashed]),
      [
        ['worker', false],
        ['main', true],
        ['main', true],
      ],
    )
  })

  it('are grouped by cause, exception and dumped thread', async () => {
    using mapping = await openMappingText(shop)
    const frame = '\tat a.a.a(SourceFile:2)\n'
    const trace =
      'E/AndroidRuntime: FATAL EXCEPTION: worker\n' +
      `E/AndroidRuntime: a.b: no cart\n${frame}` +
      `Caused by: a.b: boom\n${frame}${frame}` +
      '\t... 3 more\n' +
      `java.lang.Error: two words\n${frame}` +
      `"Signal Catcher" daemon prio=5 tid=4 Runnable\n${frame}`
    const { threads } = retrace(trace, mapping)
    assert.deepEqual(
      threads.map(({ name, crashed, frames }) => [name, crashed, frames.length]),
      [
        ['worker', true, 1],
        ['Caused by: com.example.shop.EmptyCartException: boom', true, 2],
        [null, true, 1],
        ['Signal Catcher', false, 1],
      ],
    )
    assert.deepEqual(
      threads.map(({ exception }) => exception),
      [
        'com.example.shop.EmptyCartException: no cart',
        'com.example.shop.EmptyCartException: boom',
        'java.lang.Error: two words',
        undefined,
      ],
    )
  })

  it('have the exception behind lines of a log that only look like one', async () => {
    using mapping = await openMappingText(shop)
    const frame = '\tat a.a.a(SourceFile:2)\n'
    for (const before of ['FATAL EXCEPTION: main\nProcess: com.example.shop, PID: 12\n', 'Version: 7\n']) {
      const { threads } = retrace(`${before}a.b: no cart\n${frame}`, mapping)
      assert.deepEqual(
        threads.map(({ exception }) => exception),
        ['com.example.shop.EmptyCartException: no cart'],
      )
    }
  })
})
