import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { refuseOldNode } from './node-version.ts'

refuseOldNode(process.versions.node)
// Half of a start is reading and stripping source. Beside the packages, where nobody else writes; a folder that cannot be
// written is no fault.
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
