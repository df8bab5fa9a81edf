import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const untilStill = 'Promise.allSettled(document.getAnimations().map((animation) => animation.finished))'

const untilDialogsHaveNames = `new Promise((resolve) => {
  const look = () => {
    if (document.querySelector('[role=dialog]:not([aria-label], [aria-labelledby])')) requestAnimationFrame(look)
    else resolve()
  }
  look()
})`

/** Runs axe on the page as it is now, and returns one line per violation. */
export async function findBarriers(page: Page): Promise<string[]> {
  // Elements that fade in have too little contrast until their animation ends.
  await page.evaluate(`Promise.race([${untilStill}, new Promise((resolve) => setTimeout(resolve, 1000))])`)
  // A dialog knows of its heading, and so has a name, one rendering after it is shown.
  await page.evaluate(`Promise.race([${untilDialogsHaveNames}, new Promise((resolve) => setTimeout(resolve, 1000))])`)
  await page.evaluate(axe)
  const { violations } = await page.evaluate<AxeResults>('axe.run(document, { resultTypes: ["violations"] })')
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => `${impact} ${id} ${target.join(' ')}: ${failureSummary}`),
  )
}

/** Measures by how many pixels the page is wider than the viewport. */
export async function measureOverflow(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')
}
