import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { demangle } from './demangle.ts'
import { findFixtures, readVectors, type Vector } from './vectors/read-vectors.ts'

describe('demangle', () => {
  it('shows names that are not mangled as they are', () => {
    for (const name of [
      'main',
      '_main',
      '-[Cart total]',
      '+[Cart(Shop) cartWithItems:]',
      '',
      '_',
      '__isoc99_scanf',
      '$',
    ]) {
      assert.equal(demangle(name), name)
      assert.equal(demangle(name, { form: 'short' }), name)
    }
  })

  it('shows broken names as they are', () => {
    for (const name of [
      '_Z',
      '_ZN4shop',
      '_Z3fooX',
      '$s',
      '$s4shop4CartV5totalF',
      '_T0',
      '$s9999a',
      '_Z99999999999999a',
    ]) {
      assert.equal(demangle(name), name)
    }
  })

  it('leaves result and parameters out of the short form', () => {
    assert.equal(demangle('_ZNK4shop4Cart5totalEi'), 'shop::Cart::total(int) const')
    assert.equal(demangle('_ZNK4shop4Cart5totalEi', { form: 'short' }), 'shop::Cart::total')
    assert.equal(demangle('$s4shop4CartV5total2inSdSS_tF'), 'shop.Cart.total(in: Swift.String) -> Swift.Double')
    assert.equal(demangle('$s4shop4CartV5total2inSdSS_tF', { form: 'short' }), 'Cart.total')
  })

  it('reads names with the underscore that Mach-O puts before them', () => {
    assert.equal(demangle('__Z4makev'), 'make()')
    assert.equal(demangle('_$s4shop4CartVN'), 'type metadata for shop.Cart')
    assert.equal(demangle('__T04shop4CartVN'), 'type metadata for shop.Cart')
  })

  it('reads identifiers in UTF-8', () => {
    assert.equal(demangle('_Z5größei'), '_Z5größei')
    assert.equal(demangle('_Z7größei'), 'größe(int)')
  })

  it('returns the same text when a name is demangled again', () => {
    const name = '_ZN4shop2v24Cart5itemsE'
    assert.equal(demangle(name), demangle(name))
  })

  const tables: [string, string][] = [
    ['C++ names of our own program as llvm-cxxfilt does', join(import.meta.dirname, 'vectors', 'cxx.tsv')],
    ['Swift names of our own', join(import.meta.dirname, 'vectors', 'swift.tsv')],
  ]
  const fixtures = findFixtures()
  if (fixtures !== undefined) {
    tables.push(['the C++ truth table', join(fixtures, 'symbols', 'itanium-demangle-vectors.tsv')])
    tables.push(['the Swift truth table', join(fixtures, 'symbols', 'swift-demangle-vectors.tsv')])
  }
  for (const [what, path] of tables) {
    it(`demangles ${what}`, () => {
      const vectors = readVectors(path)
      assert.ok(vectors.length > 30)
      assert.deepEqual(findWrong(vectors), [])
    })
  }
})

function findWrong(vectors: Vector[]): string[] {
  const wrong: string[] = []
  for (const { name, full, short } of vectors) {
    const gotFull = demangle(name)
    if (gotFull !== full) wrong.push(`${name}\n  ${gotFull}\n  instead of\n  ${full}`)
    const gotShort = demangle(name, { form: 'short' })
    if (short !== undefined && gotShort !== short) wrong.push(`${name}\n  ${gotShort}\n  instead of\n  ${short}`)
  }
  return wrong
}
