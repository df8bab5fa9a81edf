/** Runs every static check, the cheapest to fix first, and prints the output of those that fail. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/** The names of the `npm run check:…` scripts. */
const checks = ['imports', 'width', 'types', 'lint', 'format', 'unused']

/** Runs every check and counts how many passed and failed. */
export function runChecks(): { passed: number; failed: number } {
  let failed = 0
  for (const name of checks) {
    const started = performance.now()
    const { status, stdout, stderr, error } = spawnSync('npm', ['run', '--silent', `check:${name}`], {
      cwd: root,
      encoding: 'utf8',
    })
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    console.log(`${status === 0 ? '✔' : '✖'} ${name} (${seconds} s)`)
    if (status === 0) continue
    failed++
    console.error(error?.message ?? `${stdout}${stderr}`)
  }
  return { passed: checks.length - failed, failed }
}

if (import.meta.main) process.exitCode = runChecks().failed === 0 ? 0 : 1
