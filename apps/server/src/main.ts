#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { refuseOldNode } from './node-version.ts'

refuseOldNode(process.versions.node)
// Files of the data folder are for this user alone, and for the group of a front server that sends them.
process.umask(process.env.FAIRLEAD_ACCEL === undefined ? 0o077 : 0o027)
// Half of the start-up time goes into reading and stripping TypeScript, so V8's compile cache is kept inside
// node_modules. Node ignores a cache folder that is not writable.
enableCompileCache(join(import.meta.dirname, '../../../node_modules/.cache/fairlead'))
/** The longest shutdown: the grace period of `serve.ts`, and some time for background work. */
const closingLimitMs = 45_000
const { ConfigError, readConfig } = await import('./config.ts')
const [command] = process.argv.slice(2)

try {
  if (command === undefined) {
    const config = readConfig(process.env)
    const { serve } = await import('./serve.ts')
    const server = await serve(config)
    const close = () => {
      // Neither a database that does not answer nor an open connection to it may keep the process from ending.
      setTimeout(() => process.exit(1), closingLimitMs).unref()
      void server.close().then(() => process.exit())
    }
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, close)
  } else {
    const { runCommand } = await import('./command.ts')
    process.exitCode = await runCommand(process.argv.slice(2), process.env, {
      write: console.log,
      error: console.error,
    })
  }
} catch (error) {
  // A command's own errors are sentences for people; a failure of the server needs its stack.
  const isSentence =
    error instanceof Error &&
    (error instanceof ConfigError || error.name === 'FolderTakenError' || command !== undefined)
  console.error(isSentence ? error.message : error)
  process.exitCode = 1
}
