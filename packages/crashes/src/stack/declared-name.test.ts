import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findDeclaredName } from './declared-name.ts'

const find = (text: string) => {
  const before = text.slice(0, text.indexOf('!!'))
  const lines = before.split('\n')
  const column = lines.at(-1)?.length ?? 0
  return findDeclaredName(
    [...lines.slice(0, -1), `${lines.at(-1)}${text.slice(before.length).split('\n', 1)[0]}`],
    column,
  )
}

const sources: Record<string, string> = {
  'a function': 'function pay(cart) {\n  return !!cart.items\n}',
  'a function of one line': 'function load() {}\nfunction pay(cart) { return !!cart.items }',
  'a component that is wrapped': 'export const pay = memo(({ item }) => {\n  return <b>{!!item.price}</b>\n})',
  'an arrow function in a type': 'const pay: Handler<Cart> = async (cart) =>\n  !!cart.items',
  'a callback in a method':
    'class Cart {\n  a() {}\n\n  async pay(cart: Cart): Promise<x> {\n    cart.map((one) => {\n      !!one.x\n    })',
  'a method with its parameters below each other':
    'class Cart {\n  pay(\n    cart: Cart,\n    user: User,\n  ): void {\n    if (cart) {\n      !!cart.x',
  'a function with its parameters below each other': 'export async function pay(\n  cart,\n) {\n  !!cart.x\n}',
  'an arrow function with its parameters below each other': 'const pay = ({\n  cart,\n  user,\n}) => {\n  !!cart.x\n}',
  'a function with a branch': 'function pay(x) {\n  if (x) {\n    go()\n  } else if (y) {\n    !!x.y\n  }\n}',
  'a property': 'export default {\n  load: () => 1,\n  pay: async (cart) => {\n    !!cart.x\n  },\n}',
  'a function of a prototype': 'Cart.prototype.pay = function (x) {\n\t!!x.y\n}',
  'a click': 'function Cart() {\n  const pay = useCallback(async () => {\n    await !!x.y\n  }, [])\n  return 1\n}',
}

describe('the function around a place of a source', () => {
  for (const [what, text] of Object.entries(sources)) {
    it(`is found by its indentation: ${what}`, () => assert.equal(find(text), 'pay'))
  }

  it('is none at the top of a file and in a function without a name', () => {
    assert.equal(find('function pay() {\n  go()\n}\n\n!!x.y'), undefined)
    assert.equal(find('export default function (x) {\n  !!x.y\n}'), undefined)
    assert.equal(find('on(() => {\n  if (x) {\n    !!x.y\n  }\n})'), undefined)
    assert.equal(findDeclaredName([], 0), undefined)
  })

  it('is found in bounded time, whatever the lines hold', () => {
    for (const part of ['a = ', 'a: (', '(', 'a<', 'x ? y : ', ' ', 'function ', 'a:b=', '}', 'async get static ']) {
      const lines = Array.from({ length: 400 }, (_, place) => ' '.repeat(place % 199) + part.repeat(100)).slice(0, 200)
      findDeclaredName([...lines.map((line) => line.slice(0, 200)), `${' '.repeat(199)}x`], 199)
    }
  })
})
