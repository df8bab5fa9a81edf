/** Runs every static check, the cheapest to fix first, and prints the output of those that fail. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/** The names of the `npm run check:…` scripts. */
const checks = ['imports', 'width', 'tidy', 'types', 'lint', 'format', 'unused']

/** Runs every check and counts how many passed and failed. */
export async function runChecks(): Promise<{ passed: number; failed: number }> {
  let failed = 0
  for (const name of checks) {
    const started = performance.now()
    const fault = await runCheck(name)
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    console.log(`${fault === undefined ? '✔' : '✖'} ${name} (${seconds} s)`)
    if (fault === undefined) continue
    failed++
    console.error(fault)
  }
  return { passed: checks.length - failed, failed }
}

/** Returns what a check printed when it failed. */
function runCheck(name: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const options = { cwd: root, maxBuffer: Number.POSITIVE_INFINITY }
    execFile('npm', ['run', '--silent', `check:${name}`], options, (error, stdout, stderr) => {
      if (error) resolve(`${stdout}${stderr}` || error.message)
      else resolve(undefined)
    })
  })
}

if (import.meta.main) process.exitCode = (await runChecks()).failed === 0 ? 0 : 1
