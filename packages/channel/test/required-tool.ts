import { spawnSync } from 'node:child_process'

/**
 * Value for a test's `skip`: false if the tool is installed, else the reason for skipping. Under CI every tool must be
 * installed, so the tests run and fail without it.
 */
export function skipWithout(command: string, arguments_: string[] = ['--version']): string | false {
  if (process.env['CI'] === 'true') return false
  const { error, status } = spawnSync(command, arguments_, { stdio: 'ignore' })
  return error || status !== 0 ? `not run: ${command} is not there` : false
}

/** Path of Debian's Chromium; CHROMIUM overrides it. */
export const chromiumPath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
