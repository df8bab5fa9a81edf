import type { Verdict } from '@fairlead/contract'

interface SplitReasons {
  /** The reasons for which a run failed, and the build with it. */
  ofRuns: string[]
  /** One sentence on the reasons for which only the build failed; null if there are none. */
  ofBuild: string | null
}

/**
 * Tells the reasons that fail a run from those that fail only a build. The page of a run says that its known failures
 * do not count, so the pages of a build call them by the same word, and name them apart from what failed the run.
 */
export function splitReasons(reasons: Verdict['reasons']): SplitReasons {
  const [ofBuild, ofRuns] = [reasons.filter(isOnlyOfBuilds), reasons.filter((reason) => !isOnlyOfBuilds(reason))]
  const parts = ofBuild.map(({ code, count, detail }) => (code === 'known' ? `${count} known` : detail)).join(', ')
  const asWell = ofRuns.length > 0 ? ' as well' : ''
  return {
    ofRuns: ofRuns.map(({ detail }) => detail),
    ofBuild: parts === '' ? null : `A build fails for these${asWell}, a run does not: ${parts}.`,
  }
}

function isOnlyOfBuilds({ code }: Verdict['reasons'][number]): boolean {
  return code === 'known' || code === 'vanished'
}
