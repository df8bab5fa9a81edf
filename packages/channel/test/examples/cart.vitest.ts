// The same test with Vitest, which runs it in a worker of its own.
import { launch, type LaunchedApp } from '@fairlead/channel/test'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { messages } from './cart-messages.ts'

let app: LaunchedApp

beforeEach(async () => {
  app = await launch({ command: process.execPath, args: [`${import.meta.dirname}/cart-app.ts`] })
})
afterEach(() => app.close())

test('the cart counts its items', () => {
  const cart = app.xpcService.with(messages)
  cart.send('add', { name: 'rope', price: 12 })
  expect(cart.send('count')).toBe(1)
  expect(() => cart.send('add', { name: 'air', price: 0 })).toThrow(/price/)
})

test('fake timers do not stop the channel', async () => {
  vi.useFakeTimers()
  const cart = app.xpcService.with(messages)
  expect(await cart.sendAsync('count')).toBe(0)
  vi.useRealTimers()
})
