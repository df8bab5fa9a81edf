import type { ApplicationOverview } from '@fairlead/contract'
import { Text } from '@mantine/core'
import { Fragment } from 'react'
import { toRunName } from '../test-runs/test-name.ts'
import { AnchorLink } from '../ui/links.tsx'
import { splitReasons } from '../verdicts/rule-of-builds.ts'

interface BuildVerdictLineProps {
  applicationId: number
  build: NonNullable<ApplicationOverview['newestBuild']>
}

/** Says why a build has its verdict and from which runs, since each of these may have passed. */
export function BuildVerdictLine({ applicationId, build }: BuildVerdictLineProps) {
  const { verdict, verdictReasons: reasons, testRuns } = build
  if (verdict === null) {
    return (
      <Text size="sm" c="dimmed">
        No test run names this build.
      </Text>
    )
  }
  const { ofRuns, ofBuild } = splitReasons(reasons)
  return (
    <Text size="sm">
      {ofRuns.length > 0 && `${ofRuns.join(', ')}. `}
      {ofBuild !== null && `${ofBuild} `}
      {testRuns.map(({ id, result }, index) => (
        <Fragment key={id}>
          {index > 0 && ', '}
          <AnchorLink
            to="/applications/$applicationId/tests/runs/$testRunId"
            params={{ applicationId, testRunId: id }}
            inherit
            underline="always"
          >
            {toRunName({ id })}
          </AnchorLink>
          {` ${results[result]}`}
        </Fragment>
      ))}
    </Text>
  )
}

const results: Record<BuildVerdictLineProps['build']['testRuns'][number]['result'], string> = {
  pass: 'passed',
  fail: 'failed',
  pending: 'is running',
  noTests: 'had no tests',
}
