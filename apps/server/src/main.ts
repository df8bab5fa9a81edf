import { ConfigError, readConfig } from './config.ts'
import { refuseOldNode } from './node-version.ts'
import { serve } from './serve.ts'

refuseOldNode(process.versions.node)

try {
  const server = await serve(readConfig(process.env))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void server.close())
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error)
  process.exitCode = 1
}
