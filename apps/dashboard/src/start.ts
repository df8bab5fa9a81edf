/**
 * Runs before the other scripts of the dashboard are loaded. It requests the data of the first page and shows it as a
 * plain list. On a slow network the data arrives long before the scripts do.
 */
import { applicationPages } from './first-pages/application-pages.ts'
import { earlyClient } from './early/client.ts'
import { crashPages } from './first-pages/crash-pages.ts'
import { readSession } from './early/requests.ts'
import { testPages } from './first-pages/test-pages.ts'
import { workspacePages } from './first-pages/workspace-pages.ts'

void askForPage(location.pathname).catch(() => {
  // The dashboard sends the request again and shows the error.
})

async function askForPage(pathname: string): Promise<void> {
  if (/^\/(setup|sign-in|forgot-password|reset|invitation)$/.test(pathname)) return
  const pages = [...applicationPages, ...crashPages, ...testPages, ...workspacePages]
  const page = pages.find(({ path }) => path.test(pathname))
  const [, first, second] = page?.path.exec(pathname) ?? []
  // A browser opens six connections at most, so the requests of the page come first.
  const shown = page?.show({ first: Number(first ?? 0), second: Number(second ?? 0) }, readSearch(location.search))
  const session = readSession(earlyClient)
  session.catch(() => {})
  await Promise.allSettled([shown])
  await page?.load?.()
}

/** Reads parameters as the router does: what can be read as JSON, such as a number, is. */
function readSearch(search: string): Record<string, unknown> {
  return Object.fromEntries([...new URLSearchParams(search)].map(([name, value]) => [name, parse(value)]))
}

function parse(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}
