/**
 * Servers over the database that the tests run on. A test file that uses them runs on both, so they are for stories
 * whose pages show what the database has counted or sorted.
 */
import { createTestDatabase } from '../../apps/server/src/testing/test-database.ts'
import { type FreshServer, startFreshServer } from './first-start.ts'
import { type OpenedDashboard, openDashboard } from './opened-dashboard.ts'

/** Starts a server that is not set up yet. */
export function startFreshServerOnEngine(env: Record<string, string> = {}): Promise<FreshServer> {
  return startOnEngine(startFreshServer, env)
}

/** Starts a server with data on every page, and a browser. */
export function openDashboardOnEngine(): Promise<OpenedDashboard> {
  return startOnEngine(openDashboard, {})
}

async function startOnEngine<Started extends AsyncDisposable>(
  start: (env: Record<string, string>) => Promise<Started>,
  env: Record<string, string>,
): Promise<Started> {
  await using opened = new AsyncDisposableStack()
  const { url } = opened.use(await createTestDatabase())
  const started = opened.use(await start({ ...env, ...(url !== null && { FAIRLEAD_DATABASE_URL: url }) }))
  const closers = opened.move()
  return { ...started, [Symbol.asyncDispose]: () => closers.disposeAsync() }
}
