import { expect } from '@playwright/test'
import { servePage } from '../web-page.ts'
import { test } from './page-fixture.ts'

// A page with one script; your own page comes from your dev server, built as usual.
const script = `
  import { xpcService } from '/src/app-page.ts'
  const cart = []
  const button = document.createElement('button')
  button.textContent = 'Buy'
  button.onclick = () => {
    cart.push('rope')
    xpcService?.post('bought', cart.length)
  }
  document.body.append(button)
  xpcService?.on('fill', { decoding: Number }, (count) => { cart.length = count })
  xpcService?.on('count', { encoding: Number }, () => cart.length)
`

test('the page reports purchases, and the test can fill its cart', async ({ page, app }) => {
  await servePage(page, script)
  await page.goto('https://app.test')
  const bought = new Promise<number>((resolve) => app.xpcService.on('bought', { decoding: Number }, resolve))
  await app.xpcService.sendAsync('fill', 41)
  await page.getByRole('button', { name: 'Buy' }).click()
  expect(await bought).toBe(42)
  expect(await app.xpcService.sendAsync('count', undefined, { decoding: Number })).toBe(42)
})

test('permission statuses come from the browser', async ({ page, app, context }) => {
  await servePage(page, script)
  await page.goto('https://app.test')
  await context.grantPermissions(['geolocation'], { origin: 'https://app.test' })
  expect(await app.locationAuthorizationStatus).toBe('authorizedWhenInUse')
})
