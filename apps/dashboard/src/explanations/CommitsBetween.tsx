import { useQuery } from '@tanstack/react-query'
import { lazyWithin } from '../ui/lazy-part.tsx'
import { Panel } from '../ui/Panel.tsx'
import { commitsOfFailureQuery, failureExplanationQuery } from './queries.ts'

const CommitList = lazyWithin(async () => (await import('./CommitList.tsx')).CommitList)

interface CommitsBetweenProps {
  applicationId: number
  failureId: number
}

/** Lists the commits between the build in which a test last passed and the one in which it first failed. */
export function CommitsBetween({ applicationId, failureId }: CommitsBetweenProps) {
  const { data: explanation } = useQuery(failureExplanationQuery(failureId))
  const { data: commits } = useQuery(commitsOfFailureQuery(explanation))
  if (!explanation || !commits || commits.items.length === 0) return null
  const suspects = new Set(explanation.suspects.map(({ commit }) => commit))
  return (
    <Panel title="Commits since it passed">
      <CommitList applicationId={applicationId} commits={commits} suspects={suspects} />
    </Panel>
  )
}
