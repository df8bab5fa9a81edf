import type { Verdict } from '@fairlead/contract'

/** What a reader must know where a build has failed and its runs have passed. */
export const ruleOfBuilds = 'A build fails for these, a run does not.'

/** Tells whether a build failed for reasons alone that fail no run. */
export function isOnlyOfBuilds(reasons: Verdict['reasons']): boolean {
  return reasons.length > 0 && reasons.every(({ code }) => code === 'known' || code === 'vanished')
}
