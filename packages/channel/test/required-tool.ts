import { spawnSync } from 'node:child_process'

/**
 * A test's `skip`: false where the tool is there, else the words that name what was not run. Under CI every tool
 * is there, or the run fails.
 */
export function skipWithout(command: string, arguments_: string[] = ['--version']): string | false {
  if (process.env['CI'] === 'true') return false
  const { error, status } = spawnSync(command, arguments_, { stdio: 'ignore' })
  return error || status !== 0 ? `not run: ${command} is not there` : false
}

/** Debian's Chromium, or another by environment. */
export const chromiumPath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
