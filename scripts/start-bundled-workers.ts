/**
 * This module is loaded into the process of each test file. When there is a bundle of the server, the worker processes
 * that the test's own server starts run from it, too: reading their modules one by one takes most of the processor time
 * of a start. A run of chosen files has no bundle, so it starts them from their sources.
 */
import childProcess, { type ForkOptions } from 'node:child_process'
import { existsSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { basename, dirname, join, sep } from 'node:path'

const root = join(import.meta.dirname, '..') + sep
const { SERVER_OF_TESTS: server } = process.env

if (server !== undefined) {
  const { fork } = childProcess
  const startFrom = (entry: string | URL, args?: string[], options?: ForkOptions) =>
    fork(typeof entry === 'string' ? findBundled(entry, dirname(server)) : entry, args, options)
  Object.assign(childProcess, { fork: startFrom })
  // Modules import the function by its name.
  syncBuiltinESMExports()
}

function findBundled(entry: string, folder: string): string {
  if (!entry.startsWith(root) || !entry.endsWith('-worker.ts')) return entry
  const bundled = join(folder, `${basename(entry, '.ts')}.js`)
  return existsSync(bundled) ? bundled : entry
}
