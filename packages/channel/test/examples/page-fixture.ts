// A Playwright Test fixture that gives every test its page's service.
import { test as base } from '@playwright/test'
import { attachPage, type PageApp } from '@fairlead/channel/playwright'

export const test = base.extend<{ app: PageApp }>({
  app: async ({ page }, use) => {
    using app = await attachPage(page)
    await use(app)
  },
})
