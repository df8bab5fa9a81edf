import type { BrowserContextOptions, Page } from 'playwright-core'
import { type Chromium, type Network, startChromium } from './chromium.ts'
import { type FilledWorkspace, fillWorkspace } from './filled-workspace.ts'
import { type FreshServer, startFreshServer } from './first-start.ts'

/** A server with data on every page, and a browser. */
export interface OpenedDashboard extends AsyncDisposable {
  fresh: FreshServer
  workspace: FilledWorkspace
  chromium: Chromium
  /** Opens a page that is signed in as an administrator. */
  openPage(options?: BrowserContextOptions & { network?: Network }): Promise<Page>
  /** Calls the API with an administrator's token. */
  callApi(
    path: string,
    init?: { method: string; headers: Record<string, string>; body: NonNullable<RequestInit['body']> },
  ): Promise<Response>
}

/** @param env further settings of the server */
export async function openDashboard(env: Record<string, string> = {}): Promise<OpenedDashboard> {
  await using opened = new AsyncDisposableStack()
  const fresh = opened.use(await startFreshServer(env))
  const workspace = await fillWorkspace(fresh)
  const chromium = opened.use(await startChromium())
  const closers = opened.move()
  return {
    fresh,
    workspace,
    chromium,
    async openPage(options = {}) {
      const page = await chromium.openPage({ baseURL: fresh.baseUrl, ...options })
      await page.context().addCookies([workspace.cookie])
      return page
    },
    callApi: (path, init) =>
      fetch(fresh.baseUrl + path, {
        ...init,
        headers: { 'X-Service-Token': workspace.apiToken, ...init?.headers },
      }),
    [Symbol.asyncDispose]: () => closers.disposeAsync(),
  }
}
