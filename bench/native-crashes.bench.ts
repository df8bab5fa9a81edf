/**
 * Symbols of native code and of JavaScript beside their peers: the index of a library with 370 MB of debug information,
 * a crash of 20 frames, a tombstone, and positions of a source map of 30 MB. `packages/symbols/bench/README.md` names
 * the Debian packages that it needs. Making the library takes some minutes the first time.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../packages/symbols/bench')
for (const program of ['native.ts', 'source-maps.ts']) {
  const { status } = spawnSync(process.execPath, [join(folder, program)], { stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}
