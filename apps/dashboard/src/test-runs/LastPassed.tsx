import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { failureExplanationQuery } from '../explanations/queries.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { Panel } from '../ui/Panel.tsx'

const PassedRun = lazyPart(async () => (await import('./PassedRun.tsx')).PassedRun)

interface LastPassedProps {
  applicationId: number
  failureId: number
  testId: number
}

/** Shows the last run in which a test passed before it began to fail, with what that run recorded of it. */
export function LastPassed({ applicationId, failureId, testId }: LastPassedProps) {
  const { data: explanation, error } = useQuery(failureExplanationQuery(failureId))
  if (error) return null
  // The panel is there from the start, so that what is below it does not move.
  if (!explanation) {
    return (
      <Panel title="Last passed">
        <Text size="sm" c="dimmed">
          Looking for it…
        </Text>
      </Panel>
    )
  }
  const { lastPassed, firstFailed } = explanation.range
  return (
    <Panel title="Last passed">
      {lastPassed === null ? (
        <Text size="sm" c="dimmed">
          No earlier run is known in which this test passed.
        </Text>
      ) : (
        <PassedRun
          applicationId={applicationId}
          testId={testId}
          runId={lastPassed.testRunId}
          failedRunId={firstFailed?.testRunId ?? explanation.testRunId}
        />
      )}
    </Panel>
  )
}
