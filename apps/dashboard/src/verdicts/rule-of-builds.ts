import type { Verdict } from '@fairlead/contract'

/** Explains to readers why a build has failed although its test runs have passed. */
export const ruleOfBuilds = 'A build fails for these, a run does not.'

/** Tells whether a build failed for reasons alone that fail no run. */
export function isOnlyOfBuilds(reasons: Verdict['reasons']): boolean {
  return reasons.length > 0 && reasons.every(({ code }) => code === 'known' || code === 'vanished')
}
