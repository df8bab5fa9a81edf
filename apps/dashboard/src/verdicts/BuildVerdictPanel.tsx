import type { Build } from '@fairlead/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Panel } from '../ui/Panel.tsx'
import { buildVerdictQuery } from './queries.ts'
import { RunVerdict } from './RunVerdict.tsx'

/** Shows the verdict of a build's test runs. Builds that were never tested have no panel. */
export function BuildVerdictPanel({ build }: { build: Build }) {
  const { data: verdict } = useQuery(buildVerdictQuery(build.id))
  const { applicationId } = build
  const isUntested = verdict?.result === 'noTests' && verdict.base === null
  if (!verdict || isUntested) return null
  return (
    <Panel
      title="Tests"
      actions={
        <Link to="/applications/$applicationId/tests" params={{ applicationId }}>
          Test runs
        </Link>
      }
    >
      <RunVerdict verdict={verdict} applicationId={applicationId} />
    </Panel>
  )
}
