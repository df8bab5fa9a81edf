import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { chromium, type Browser, type Page } from '@playwright/test'
import { chromiumPath } from './required-tool.ts'

const root = join(import.meta.dirname, '..')

/** Origin of the page. The test answers every request to it, so there is no server and no port. */
export const origin = 'https://app.test'

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}

/** Serves `/src/…` of the package with its types stripped, and the script as a module at every other path. */
export async function servePage(page: Page, script: string): Promise<void> {
  await page.route(`${origin}/**`, async (route) => {
    const { pathname } = new URL(route.request().url())
    if (!pathname.endsWith('.ts')) {
      const body = `<!doctype html><title>app</title><script type="module">${script}</script>`
      return route.fulfill({ contentType: 'text/html', body })
    }
    const body = stripTypeScriptTypes(readFileSync(join(root, pathname), 'utf8'))
    return route.fulfill({ contentType: 'text/javascript', body })
  })
}
