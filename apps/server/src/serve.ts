import type { AddressInfo } from 'node:net'
import { createApp } from './app.ts'
import { sweepOrphans } from './blobs/records.ts'
import { type Config, ConfigError } from './config.ts'
import type { AppContext } from './context.ts'
import { listenOnSharedPort } from './http/share-port.ts'
import { openContext } from './open-context.ts'
import { startBackground } from './background.ts'
import { createSetUpUrl } from './set-up/code.ts'
import { createInitialWorkspace } from './set-up/first-workspace.ts'
import { requireAddress } from './http/listening-address.ts'

/** How long running uploads and downloads may continue after the signal to stop. */
const graceMs = 30_000
/**
 * The most connections that the operating system queues until they are accepted; it may allow fewer. When the queue is
 * full, new clients wait for many seconds until their system tries again, so a burst of connections must not fill it.
 */
const backlog = 4096

export interface Server {
  /** The URL that the server listens on. */
  url: string
  /** Accepts no new connections, lets running ones finish within a grace period, then closes everything. */
  close(): Promise<void>
}

/** Starts the whole service: opens the context, listens, and removes blobs that an interrupted upload left. */
export async function serve(config: Config): Promise<Server> {
  const startedAt = Date.now()
  await using opened = new AsyncDisposableStack()
  const context = opened.use(await openContext(config))
  const { log } = context
  if (config.serviceLinks.length > 0) {
    log.warn({ ignored: config.serviceLinks }, 'variables that Kubernetes sets for its Services are ignored')
  }
  await createInitialWorkspace(context)
  const closing = new AbortController()
  const app = await createApp(context, closing.signal)
  opened.use(await startBackground(context))
  const setUpUrl = await createSetUpUrl(context)
  const { host, port } = config
  const listener = await listenOnSharedPort(app, { host, port, backlog }).catch((error: unknown) => {
    throw explainListenError(error, config)
  })
  const url = toUrl(requireAddress(app.server))
  const closers = opened.move()
  log.info({ url, baseUrl: config.baseUrl }, `Fairlead listens on ${url}`)
  // Printed outside the log, so that people can copy the link without JSON quoting.
  if (setUpUrl !== undefined) console.log(`Set up Fairlead: ${setUpUrl}`)

  const sweeping = config.databaseUrl === null ? sweepLeftovers(context, startedAt) : undefined

  return {
    url,
    async close() {
      log.info('shutting down')
      closing.abort()
      const grace = setTimeout(() => app.server.closeAllConnections(), graceMs)
      await listener.close()
      clearTimeout(grace)
      await app.close()
      await sweeping
      await closers.disposeAsync()
    },
  }
}

/**
 * No other process writes to the embedded database, so a blob without a row that is older than this start was left by
 * an interrupted upload. Replicas leave such blobs to the daily chores, which wait until no upload can still commit
 * them.
 */
async function sweepLeftovers(context: AppContext, startedAt: number): Promise<void> {
  try {
    const removed = await sweepOrphans(context, startedAt)
    if (removed > 0) context.log.info({ removed }, 'removed blobs left by interrupted uploads')
  } catch (error) {
    context.log.warn({ err: error }, 'the sweep for leftover blobs failed')
  }
}

/** Explains a listen error by the setting that causes it; other errors are returned unchanged. */
function explainListenError(error: unknown, { host, port }: Config): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE')
    return new ConfigError([`FAIRLEAD_PORT is taken: another program listens on ${host}:${port}`])
  if (code === 'EACCES')
    return new ConfigError([`FAIRLEAD_PORT is not permitted: this user may not listen on ${host}:${port}`])
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new ConfigError([`FAIRLEAD_HOST must be an address of this machine; ${host} is not`])
  }
  return error
}

function toUrl({ address, port, family }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}
