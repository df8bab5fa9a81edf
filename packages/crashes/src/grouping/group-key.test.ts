import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isAppFrame, toGroupKey } from '../index.ts'
import type { GroupedFrame } from './frame-name.ts'

const java = (text: string): GroupedFrame => {
  const dot = text.lastIndexOf('.')
  const className = text.slice(0, dot)
  return {
    className,
    name: text.slice(dot + 1),
    module: null,
    isApp: isAppFrame({ className, module: null, isAppImage: null }),
  }
}
const native = (name: string | null, module: string, isApp: boolean): GroupedFrame => ({
  className: null,
  name,
  module,
  isApp,
})
const keyOf = (frames: GroupedFrame[], options: Partial<Parameters<typeof toGroupKey>[0]> = {}) =>
  toGroupKey({ kind: 'crash', exceptions: [{ type: 'E', message: null }], frames, fingerprint: null, ...options })

describe('the key of a group', () => {
  it('consists of the kind, the exception types and the first frame of the app', () => {
    const exceptions = [
      { type: 'com.example.PaymentFailed', message: 'card 7' },
      { type: 'java.lang.NullPointerException', message: 'no wallet' },
    ]
    const key = keyOf(
      ['java.util.Objects.requireNonNull', 'com.example.Wallet.debit', 'com.example.Screen.pay'].map(java),
      {
        exceptions,
      },
    )
    assert.deepEqual(key, {
      lines: ['crash', 'com.example.PaymentFailed', 'java.lang.NullPointerException', 'com.example.Wallet.debit'],
      title: 'java.lang.NullPointerException',
      culprit: 'com.example.Wallet.debit',
      skippedFrames: [{ name: 'java.util.Objects.requireNonNull', reason: 'raises' }],
    })
  })

  it('contains at most two library frames that the app called', () => {
    const frames = ['java.util.ArrayList.get', 'java.util.A.a', 'java.util.A.b', 'com.example.Cart.item'].map(java)
    assert.deepEqual(keyOf(frames).lines.slice(2), [
      'java.util.ArrayList.get',
      'java.util.A.a',
      'com.example.Cart.item',
    ])
  })

  it('contains two frames if none belongs to the app', () => {
    const frames = ['java.util.A.a', 'java.util.A.b', 'java.util.A.c'].map(java)
    assert.deepEqual(keyOf(frames).lines.slice(2), ['java.util.A.a', 'java.util.A.b'])
  })

  it('is the same for any depth of recursion', () => {
    const frames = (depth: number) =>
      [...Array<string>(depth).fill('java.util.A.walk'), 'com.example.Tree.walk'].map(java)
    assert.deepEqual(keyOf(frames(2)).lines, keyOf(frames(500)).lines)
  })

  it('is the same for lambdas, closures and templates that another build numbers or names differently', () => {
    for (const [one, other] of [
      ['com.example.Shop$$ExternalSyntheticLambda3.run', 'com.example.Shop$$ExternalSyntheticLambda12.run'],
      ['com.example.Shop$1.run', 'com.example.Shop$4.run'],
      ['com.example.Shop.lambda$pay$3', 'com.example.Shop.lambda$pay$7'],
    ] as const) {
      assert.deepEqual(keyOf([java(one)]).lines, keyOf([java(other)]).lines)
    }
    for (const [one, other] of [
      ['closure #1 in Shop.pay(amount:)', 'closure #2 in Shop.pay(amount:)'],
      ['Cart<int>::add(std::vector<int, std::allocator<int> >)', 'Cart<long>::add(int)'],
      ['__21-[Shop pay]_block_invoke_2', '__21-[Shop pay]_block_invoke'],
    ] as const) {
      assert.deepEqual(keyOf([native(one, 'Shop', true)]).lines, keyOf([native(other, 'Shop', true)]).lines)
    }
  })

  it('contains a Swift function without what it takes and returns', () => {
    for (const rest of [
      '() -> ()',
      '() throws -> ()',
      '(id: Swift.Int) async -> ()',
      '(id: Swift.Int) async throws -> (Swift.Int, Swift.String)',
      '() throws(Shop.Gone) -> ()',
      '(then: (Swift.Int) -> ()) -> (Swift.Int) -> ()',
      '<A where A: Swift.Equatable>(A) -> Swift.Array<(A) -> ()>',
    ]) {
      assert.deepEqual(keyOf([native(`Shop.Cart.load${rest}`, 'Shop', true)]).lines.slice(2), ['Shop.Cart.load'], rest)
    }
    const names = [
      'closure #1 () async -> () in Shop.Cart.load() async -> ()',
      '(extension in Shop):Swift.Array.load() -> ()',
    ]
    assert.deepEqual(
      names.map((name) => keyOf([native(name, 'Shop', true)]).lines[2]),
      ['closure () async -> () in Shop.Cart.load', '(extension in Shop):Swift.Array.load'],
    )
  })

  it('contains the module of a frame without a name', () => {
    const frames = [native('__pthread_kill', 'libsystem_kernel.dylib', false), native(null, 'Lantern', true)]
    assert.deepEqual(keyOf(frames).lines, ['crash', 'E', 'Lantern'])
  })

  it('is the message without numbers and quotations if there are no frames', () => {
    const exceptions = [{ type: 'Error', message: 'no item "blue 7" in 42 rows at 0x7fff' }]
    assert.deepEqual(keyOf([], { exceptions }).lines, ['crash', 'Error', 'no item "…" in # rows at #'])
  })

  it("is the client's fingerprint, with the server's key where the fingerprint refers to it", () => {
    const frames = [java('com.example.Cart.item')]
    assert.deepEqual(keyOf(frames, { fingerprint: ['checkout', 'v2'] }).lines, ['checkout', 'v2'])
    assert.deepEqual(keyOf(frames, { fingerprint: ['{{ default }}', 'eu'] }).lines, [
      'crash',
      'E',
      'com.example.Cart.item',
      'eu',
    ])
  })

  it('is found in bounded time for brackets that are never closed', () => {
    assert.ok(keyOf([native('<'.repeat(50_000), 'Shop', true)]).lines.length === 3)
  })
})
