import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const untilStill = 'Promise.allSettled(document.getAnimations().map((animation) => animation.finished))'

/** Returns the accessibility violations that axe finds on the current page, one line each. */
export async function findBarriers(page: Page): Promise<string[]> {
  // Waits for fade-in animations, which reduce the contrast while they run.
  await page.evaluate(`Promise.race([${untilStill}, new Promise((resolve) => setTimeout(resolve, 1000))])`)
  await page.evaluate(axe)
  const { violations } = await page.evaluate<AxeResults>('axe.run(document, { resultTypes: ["violations"] })')
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => `${impact} ${id} ${target.join(' ')}: ${failureSummary}`),
  )
}

/** Returns how many pixels the page is wider than the screen. */
export async function measureOverflow(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')
}
