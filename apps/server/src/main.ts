import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { refuseOldNode } from './node-version.ts'

refuseOldNode(process.versions.node)
// Half of the start-up time goes into reading and stripping TypeScript, so V8's compile cache is kept inside
// node_modules. Node ignores a cache folder that is not writable.
enableCompileCache(join(import.meta.dirname, '../../../node_modules/.cache/fairlead'))
/** The grace period of `serve.ts` and some time for what runs besides requests. */
const closingLimitMs = 45_000
const { ConfigError, readConfig } = await import('./config.ts')
const { serve } = await import('./serve.ts')

try {
  const server = await serve(readConfig(process.env))
  const close = () => {
    // A database that says nothing must not keep the process from ending, nor must its open connections.
    setTimeout(() => process.exit(1), closingLimitMs).unref()
    void server.close().then(() => process.exit())
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, close)
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error)
  process.exitCode = 1
}
