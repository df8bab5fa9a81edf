import type { AddressInfo } from 'node:net'
import { createApp } from './app.ts'
import { sweepOrphans } from './blobs/records.ts'
import { type Config, ConfigError } from './config.ts'
import { openContext } from './open-context.ts'
import { startBackground } from './background.ts'
import { createSetUpUrl } from './set-up/code.ts'
import { createInitialWorkspace } from './set-up/first-workspace.ts'

/** How long uploads and downloads that are under way may go on after the signal to stop. */
const graceMs = 30_000
/** Other replicas may be about to commit what they have just stored. */
const replicaMargin = 24 * 60 * 60 * 1000

export interface Server {
  /** Where it listens. */
  url: string
  /** Takes no new requests, lets the running ones finish for a while, closes everything. */
  close(): Promise<void>
}

/** The whole service: opens what the configuration names, listens, sweeps up after a process that died. */
export async function serve(config: Config): Promise<Server> {
  const startedAt = Date.now()
  await using opened = new AsyncDisposableStack()
  const context = opened.use(await openContext(config))
  const { log } = context
  await createInitialWorkspace(context)
  const closing = new AbortController()
  const app = await createApp(context, closing.signal)
  opened.use(await startBackground(context))
  const setUpUrl = await createSetUpUrl(context)
  await app.listen({ host: config.host, port: config.port }).catch((error: unknown) => {
    throw explainListenError(error, config)
  })
  const url = toUrl(app.server.address() as AddressInfo)
  const closers = opened.move()
  log.info({ url, baseUrl: config.baseUrl }, `Fairlead listens on ${url}`)
  // For people, and without quotes or escapes around it: the one line that is not of the log.
  if (setUpUrl !== undefined) console.log(`Set up Fairlead: ${setUpUrl}`)

  const sweepBefore = config.databaseUrl === null ? startedAt : startedAt - replicaMargin
  const sweeping = sweepOrphans(context, sweepBefore).then(
    (removed) => removed > 0 && log.info({ removed }, 'removed blobs that an interrupted upload had left'),
    (error: unknown) => log.warn({ err: error }, 'the sweep for leftover blobs failed'),
  )

  return {
    url,
    async close() {
      log.info('shutting down')
      closing.abort()
      const grace = setTimeout(() => app.server.closeAllConnections(), graceMs)
      // A connection whose last answer is out is idle from then on, and its client may keep it open for long.
      const tidying = setInterval(() => app.server.closeIdleConnections(), 100)
      await app.close()
      clearTimeout(grace)
      clearInterval(tidying)
      await sweeping
      await closers.disposeAsync()
    },
  }
}

/** What a setting has to do with it; any other error as it is. */
function explainListenError(error: unknown, { host, port }: Config): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE')
    return new ConfigError([`FAIRLEAD_PORT is taken: another program listens on ${host}:${port}`])
  if (code === 'EACCES')
    return new ConfigError([`FAIRLEAD_PORT is not for this user, who may not listen on ${host}:${port}`])
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new ConfigError([`FAIRLEAD_HOST must be an address of this machine; ${host} is none`])
  }
  return error
}

function toUrl({ address, port, family }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}
