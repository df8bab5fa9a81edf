import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { refuseOldNode } from './node-version.ts'

refuseOldNode(process.versions.node)
// Files of the data folder are for this user alone, and for the group of a front server that sends them.
process.umask(process.env.FAIRLEAD_ACCEL === undefined ? 0o077 : 0o027)
// Half of the start-up time goes into reading and stripping TypeScript, so V8's compile cache is kept inside
// node_modules. Node ignores a cache folder that is not writable.
enableCompileCache(join(import.meta.dirname, '../../../node_modules/.cache/fairlead'))
const { ConfigError, readConfig } = await import('./config.ts')
const { serve } = await import('./serve.ts')

try {
  const server = await serve(readConfig(process.env))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void server.close())
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error)
  process.exitCode = 1
}
