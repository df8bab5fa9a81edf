import type { TestFailureExplanation } from '@fairlead/contract'
import { useQuery } from '@tanstack/react-query'
import { lazyPart } from '../ui/lazy-part.tsx'
import { Panel } from '../ui/Panel.tsx'
import { commitsBetweenQuery, failureExplanationQuery } from './queries.ts'

const CommitList = lazyPart(async () => (await import('./CommitList.tsx')).CommitList)

interface CommitsBetweenProps {
  applicationId: number
  failureId: number
}

/** Lists the commits between the build in which a test last passed and the one in which it first failed. */
export function CommitsBetween({ applicationId, failureId }: CommitsBetweenProps) {
  const { data: explanation } = useQuery(failureExplanationQuery(failureId))
  const builds = explanation && toBuilds(explanation)
  const { data: commits } = useQuery(commitsBetweenQuery(builds))
  if (!explanation || !commits || commits.items.length === 0) return null
  const suspects = new Set(explanation.suspects.map(({ commit }) => commit))
  return (
    <Panel title="Commits since it passed">
      <CommitList applicationId={applicationId} commits={commits} suspects={suspects} />
    </Panel>
  )
}

/** The builds of both runs; undefined unless both are known and differ. */
function toBuilds({ range: { lastPassed, firstFailed } }: TestFailureExplanation) {
  const [baseBuildId, buildId] = [lastPassed?.buildId ?? null, firstFailed?.buildId ?? null]
  return baseBuildId === null || buildId === null || baseBuildId >= buildId ? undefined : { baseBuildId, buildId }
}
