// Another tool launches the app with `session.env`, and the test waits for the app to connect.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { test } from 'node:test'
import { openSession } from '@fairlead/channel/test'
import { messages } from './cart-messages.ts'

test('an app finds its test through the tool that launches it', async () => {
  using session = openSession()
  const tool = spawn('sh', ['-c', `sleep 0.1; "${process.execPath}" "${import.meta.dirname}/cart-app.ts"`], {
    env: { ...process.env, ...session.env },
    stdio: 'inherit',
  })
  const app = await session.connect({ whenTestEnds: 'exit' })
  const cart = app.xpcService.with(messages)
  cart.send('add', { name: 'rope', price: 12 })
  assert.equal(cart.send('count'), 1)
  await app.close()
  assert.notEqual(tool.pid, app.pid)
})
