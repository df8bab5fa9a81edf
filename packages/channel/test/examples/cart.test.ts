// The test. `send` blocks like a function call and throws like one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { launch, XPCError } from '@fairlead/channel/test'
import { messages } from './cart-messages.ts'

test('the cart counts its items', async () => {
  await using app = await launch({ command: process.execPath, args: [`${import.meta.dirname}/cart-app.ts`] })
  const cart = app.xpcService.with(messages)
  const sizes: number[] = []
  cart.on('added', ({ size }) => {
    sizes.push(size)
  })
  cart.send('add', { name: 'rope', price: 12 })
  cart.send('add', { name: 'tea', price: 3 })
  assert.equal(cart.send('count'), 2)
  assert.deepEqual(sizes, [1, 2])
  assert.throws(() => cart.send('add', { name: 'air', price: 0 }), XPCError)
  cart.send('reset')
  assert.equal(await cart.sendAsync('count', undefined, { timeout: 500 }), 0)
})
