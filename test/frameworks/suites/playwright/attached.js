describe('cart page', () => {
  test('keeps a copy', async ({ page }, info) => {
    await page.setContent('<h1>Cart</h1>')
    const copy = '<testsuite name="copied"><testcase name="of another program"><failure/></testcase></testsuite>'
    await info.attach('report.xml', { body: copy, contentType: 'text/xml' })
    await info.attach('screen', {
      body: await page.screenshot({ type: 'jpeg', quality: 1 }),
      contentType: 'image/jpeg',
    })
    CHECK(await page.locator('h1').textContent(), 'Cart')
  })

  test('fits the phone', async ({ page }) => {
    CHECK(page.viewportSize().width > 500 || process.env.STEP !== 'regressions', true)
  })

  test('opens the bank', async ({ page }) => {
    if (process.env.STEP === 'regressions') await page.goto('http://bank.invalid/')
  })
})
