#!/usr/bin/env node
import module from 'node:module'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 15)) {
  console.error(`fairlead needs Node 22.15 or newer; this is ${process.version}.`)
  process.exit(2)
}
// Compiled code is kept between runs, which halves the time that loading a command takes.
module.enableCompileCache()

const { main } = await import('./main.ts')
const { openProcessIo } = await import('./io.ts')
process.exitCode = await main(process.argv.slice(2), openProcessIo())
