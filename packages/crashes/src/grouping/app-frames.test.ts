import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { usualLibraries } from '../../test/usual-libraries.ts'
import { resolveStack } from '../stack/resolve-stack.ts'
import type { StackContent, StackFrame } from '../stack/stack-content.ts'
import { isAppFrame, listOwnPackages } from './app-frames.ts'

function toFrame(text: string, values: Partial<StackFrame> = {}): StackFrame {
  const dot = text.lastIndexOf('.')
  const names = { className: text.slice(0, dot), methodName: text.slice(dot + 1), function: null, file: null, line: 7 }
  const image = { imageUuid: null, imageOffset: null, module: null, isAppImage: null, architecture: null }
  return { ...names, ...image, ...values }
}

function keyOf(
  frames: StackFrame[],
  identifiers: string[] = [],
  rules: { kind: 'app' | 'system'; pattern: string }[] = [],
) {
  const content: StackContent = {
    kind: 'crash',
    exceptionTypes: ['java.io.IOException'],
    message: null,
    fingerprint: null,
    frames,
    mapping: { ids: [], package: null, shortVersion: null, version: null },
  }
  return resolveStack(content, { lookups: new Map(), mappings: [] }, { rules, identifiers }).key
}

describe('a frame of an app', () => {
  for (const library of usualLibraries) {
    it(`tells two bugs behind ${library} apart, and finds the app below it`, () => {
      const keys = ['org.shop.Cart.load', 'org.shop.Wallet.pay'].map((own) => {
        return keyOf([toFrame(library), toFrame('java.util.concurrent.FutureTask.run'), toFrame(own)])
      })
      assert.deepEqual(
        keys.map(({ culprit }) => culprit),
        ['org.shop.Cart.load', 'org.shop.Wallet.pay'],
      )
      assert.notDeepEqual(keys[0]?.lines, keys[1]?.lines)
    })

    it(`above ${library}, which called it, is the first of its key`, () => {
      const { lines } = keyOf([toFrame('org.shop.Cart.load'), toFrame(library)])
      assert.deepEqual(lines.slice(2), ['org.shop.Cart.load'])
    })
  }

  it('is one of a library if its sender says no, whatever it is called', () => {
    const { culprit } = keyOf([toFrame('org.shop.Vendored.call', { inApp: false }), toFrame('org.shop.Cart.load')])
    assert.equal(culprit, 'org.shop.Cart.load')
  })

  it('is one of the app by a rule before all else', () => {
    const frames = [toFrame('okhttp3.Call.run', { inApp: false }), toFrame('org.shop.Cart.load')]
    assert.equal(keyOf(frames, [], [{ kind: 'app', pattern: 'okhttp3.*' }]).culprit, 'okhttp3.Call.run')
  })

  it('is one of the app below its identifier or the parent of that', () => {
    const own = listOwnPackages(['com.squareup.cash.debug'])
    const isApp = (className: string) => isAppFrame({ className, module: null, isAppImage: null }, own)
    assert.ok(isApp('com.squareup.cash.Main'))
    assert.ok(isApp('com.squareup.shared.Log'))
    assert.ok(!isApp('com.squareup.moshi.JsonAdapter'))
    assert.ok(
      isAppFrame(
        { className: 'com.google.android.keep.Note', module: null, isAppImage: null },
        listOwnPackages(['com.google.android.keep']),
      ),
    )
  })

  it('is none of the app if Kotlin/Native compiled its own library into it, so that two bugs are two groups', () => {
    const image = { className: null, methodName: null, module: 'Shop', isAppImage: true }
    const types = ['Throwable', 'Exception', 'RuntimeException', 'IllegalStateException']
    const keys = ['buy', 'sell'].map((method) =>
      keyOf([
        ...types.map((type) => toFrame('', { ...image, function: `kfun:kotlin.${type}#<init>(kotlin.String?){}` })),
        toFrame('', { ...image, function: 'kfun:kotlin.collections.ArrayList#get(kotlin.Int){}' }),
        toFrame('', { ...image, function: `kfun:org.shop.Cart#${method}(){}` }),
      ]),
    )
    assert.deepEqual(
      keys.map(({ culprit }) => culprit),
      ['kfun:org.shop.Cart#buy', 'kfun:org.shop.Cart#sell'],
    )
    assert.deepEqual(
      keys.map(({ lines }) => lines.slice(2, 3)),
      [['kfun:kotlin.collections.ArrayList#get'], ['kfun:kotlin.collections.ArrayList#get']],
    )
  })

  it('without a class or an image is one of the app if its sender says so', () => {
    const place = { className: null, module: null, isAppImage: null }
    assert.ok(isAppFrame({ ...place, inApp: true }))
    assert.ok(!isAppFrame(place))
  })
})
