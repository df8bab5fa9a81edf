import { setTimeout } from 'node:timers/promises'
import type { Page } from 'playwright-core'

/**
 * Waits for an expression in the page to be true. Playwright's `waitForFunction` asks again by `eval` in the page,
 * which the Content Security Policy forbids, so it works only if the first answer is true.
 */
export async function waitUntilTrue(page: Page, expression: string): Promise<void> {
  while (!(await page.evaluate<unknown>(expression))) await setTimeout(20)
}
