/**
 * `npm run bench [name…]`: runs all benchmarks in this folder, or the named ones, one after the other, and then lists
 * which of their aims were met. `speed` stands for all that measure the speed where nothing is remembered.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { printAims, recordingTo } from './aims.ts'

const speed = ['postgres-requests', 'busy-requests', 'test-ingest', 'crash-intake', 'growth']
const folder = import.meta.dirname
const programs = readdirSync(folder).filter((file) => file.endsWith('.bench.ts'))
const wanted = process.argv.slice(2).flatMap((name) => (name === 'speed' ? speed : [name]))
const recorded = mkdtempSync(join(tmpdir(), 'fairlead-aims-'))
const aims = join(recorded, 'aims')

for (const program of programs) {
  const name = program.replace('.bench.ts', '')
  if (wanted.length > 0 && !wanted.includes(name)) continue
  console.log(`\n# ${name}\n`)
  const env = { ...process.env, ...recordingTo(aims) }
  const { status } = spawnSync(process.execPath, [join(folder, program)], { stdio: 'inherit', env })
  if (status !== 0) process.exitCode = 1
}
printAims(aims)
rmSync(recorded, { recursive: true })
