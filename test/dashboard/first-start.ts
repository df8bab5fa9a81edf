import { openTemporaryFolder, type ServerProcess, startServerProcess } from '../processes/server-process.ts'

export const password = 'correct horse battery'

/** A server that is not set up yet, with a data folder of its own. */
export interface FreshServer extends AsyncDisposable {
  server: ServerProcess
  dataDir: string
  /** The one-time set-up link from its log. */
  setUpUrl: string
  /** The origin of the server's own links. */
  baseUrl: string
}

export async function startFreshServer(env: Record<string, string> = {}): Promise<FreshServer> {
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await openTemporaryFolder())
  const server = opened.use(
    await startServerProcess({ dataDir: folder.path, env: { FAIRLEAD_INITIAL_API_TOKEN: '', ...env } }),
  )
  const setUpUrl = await waitForSetUpUrl(server)
  const closers = opened.move()
  return {
    server,
    dataDir: folder.path,
    setUpUrl,
    baseUrl: new URL(setUpUrl).origin,
    [Symbol.asyncDispose]: () => closers.disposeAsync(),
  }
}

/** Waits for the link, which the server logs a moment after it answers. */
export async function waitForSetUpUrl(server: ServerProcess): Promise<string> {
  for (let waited = 0; waited < 200; waited++) {
    const url = /http:\S+\/setup\?code=[\w-]+/.exec(server.output())?.[0]
    if (url !== undefined) return url
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error(`no set-up link in: ${server.output()}`)
}
