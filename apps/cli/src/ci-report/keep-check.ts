import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { ForgeCheck, ForgeChecks } from './forges/forge.ts'

/** The most rounds in which a job writes; each one past the second means that another job wrote meanwhile. */
const maxRounds = 60
const longestPauseMs = 1500

/**
 * Leaves a check that says what is true now, although many jobs do so at the same moment. A check is never changed,
 * because remarks can only be added to one; a newer one of the same name takes its place. A job ends only when the
 * newest check is what is true by then, so an older state cannot stay.
 *
 * @param render what is true now; undefined while there is no result
 */
export async function keepCheck(
  checks: ForgeChecks,
  render: () => Promise<Omit<ForgeCheck, 'key'> | undefined>,
): Promise<boolean> {
  for (let round = 0; round < maxRounds; round++) {
    if (round > 0) await setTimeout(Math.random() * Math.min(longestPauseMs, 50 * 2 ** round))
    const check = await render()
    if (!check) return false
    const key = createHash('sha256').update(JSON.stringify(check)).digest('hex')
    if ((await checks.findNewest(check.name)) === key) return true
    await checks.create({ ...check, key })
  }
  throw new Error('Other jobs kept changing the check')
}
