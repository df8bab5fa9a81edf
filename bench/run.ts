/** `npm run bench [name…]`: runs all benchmarks in this folder, or the named ones, one after the other. */
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const folder = import.meta.dirname
const programs = readdirSync(folder).filter((file) => file.endsWith('.bench.ts'))
const wanted = process.argv.slice(2)

for (const program of programs) {
  const name = program.replace('.bench.ts', '')
  if (wanted.length > 0 && !wanted.includes(name)) continue
  console.log(`\n# ${name}\n`)
  const { status } = spawnSync(process.execPath, [join(folder, program)], { stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}
