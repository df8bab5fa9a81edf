import { setTimeout } from 'node:timers/promises'
import type { Page, Request } from 'playwright-core'

const running = new WeakMap<Page, Set<Request>>()
/** How long a page must ask for nothing, in milliseconds. */
const quietMs = 500
const patienceMs = 120_000

/** Follows the requests of a page from its beginning, so that `untilQuiet` can wait for them. */
export function followRequests(page: Page): void {
  const requests = new Set<Request>()
  running.set(page, requests)
  page.on('request', (request) => {
    if (!isStream(request)) requests.add(request)
  })
  page.on('requestfinished', (request) => requests.delete(request))
  page.on('requestfailed', (request) => requests.delete(request))
}

/**
 * Waits until a page has asked for nothing for a while. Playwright's own `networkidle` never comes once a page follows
 * the stream of events, which a busy test may notice before it has seen the page at rest.
 */
export async function untilQuiet(page: Page): Promise<void> {
  const requests = running.get(page)
  if (!requests) throw new Error('The requests of this page are not followed.')
  const deadline = performance.now() + patienceMs
  for (let quietSince = performance.now(); performance.now() - quietSince < quietMs; await setTimeout(50)) {
    if (requests.size > 0) quietSince = performance.now()
    if (performance.now() > deadline) {
      throw new Error(`${page.url()} still waits for ${[...requests].map((request) => request.url()).join(', ')}`)
    }
  }
}

function isStream(request: Request): boolean {
  return new URL(request.url()).pathname === '/v1/events'
}
