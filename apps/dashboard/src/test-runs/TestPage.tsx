import type { Test } from '@fairlead/contract'
import { Group, List as PlainList, Stack, Text, Title } from '@mantine/core'
import { useInfiniteQuery, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { CommitLink } from '../applications/CommitLink.tsx'
import { useTitleIn } from '../applications/use-title-in.ts'
import { After } from '../ui/After.tsx'
import { Facts } from '../ui/Facts.tsx'
import { lazyPart, lazyWithin } from '../ui/lazy-part.tsx'
import { Panel } from '../ui/Panel.tsx'
import { requireSame } from '../ui/path-id.ts'
import { describeTrend } from './describe-trend.ts'
import { FailurePanels } from './FailurePanels.tsx'
import { HistoryStrips } from './HistoryStrip.tsx'
import { OwnerField } from './OwnerField.tsx'
import { QuarantineButton } from './QuarantineButton.tsx'
import { QuarantinePanel } from './QuarantinePanel.tsx'
import { attachmentsQuery, resultsOfTestQuery, testQuery } from './queries.ts'
import { ResultsPanel } from './ResultsPanel.tsx'
import { readShift } from './search.ts'
import { StateBadge } from './StateBadge.tsx'
import { toTestName, toTestPlace } from './test-name.ts'
import { TestsNav } from './TestsNav.tsx'
import classes from './tests.module.css'

// Charts come after the numbers that they draw, and attachments of a run are seldom looked at alone.
const DurationChart = lazyPart(
  async () => (await import('./DurationChart.tsx')).DurationChart,
  <div className={classes['durationsPlace']} />,
)
const ResultAttachments = lazyWithin(async () => (await import('./ResultAttachments.tsx')).ResultAttachments)

const route = getRouteApi('/shell/applications/$applicationId/tests/$testId')

export function TestPage() {
  const { applicationId, testId } = route.useParams()
  const { failure, run, shift } = route.useSearch()
  const navigate = route.useNavigate()
  const { data: test } = useSuspenseQuery(testQuery(testId))
  requireSame(test.applicationId, applicationId)
  useTitleIn(applicationId, toTestName(test))
  const results = useInfiniteQuery(resultsOfTestQuery(testId))
  const attachments = useQuery({ ...attachmentsQuery(run ?? 0, testId), enabled: run !== undefined })
  const shown = results.data?.pages.flatMap(({ items }) => items) ?? []
  const newest = run === undefined ? shown.find((result) => result.failureId !== null)?.failureId : undefined
  const failureId = failure ?? newest ?? undefined
  // The state is that of the default branch. Above a failure of another branch, “healthy” would read like a mistake.
  const isMixed = test.state === 'healthy' && shown[0]?.outcome === 'failed'
  const below = (
    <>
      {test.recent.length > 0 && (
        <>
          <Panel title="History">
            <Stack>
              <HistoryStrips recent={test.recent} />
              <Ranges test={test} />
            </Stack>
          </Panel>
          <Panel title="Durations">
            <DurationChart {...test} />
            <Text size="sm" c="dimmed">
              This month: {describeTrend(test)}
            </Text>
          </Panel>
        </>
      )}
      <ResultsPanel applicationId={applicationId} shown={shown} results={results} />
      <Panel title="Details">
        <Facts
          facts={[
            ['Owner', <OwnerField key={test.owner} test={test} />],
            ['Suite', test.suite],
            ['Class', test.class],
            ['File', test.file],
          ]}
        />
      </Panel>
    </>
  )
  return (
    <>
      <TestsNav applicationId={applicationId} />
      <Stack gap="lg">
        <Group justify="space-between" align="flex-start" gap="sm">
          <div className={classes['heading']}>
            <Group gap="xs">
              <Title order={2} className="break">
                {toTestName(test)}
              </Title>
              {!results.isLoading && !isMixed && <StateBadge state={test.state} />}
            </Group>
            <Text c="dimmed" className="break">
              {toTestPlace(test)}
              {test.owner !== null && ` · owned by ${test.owner}`}
            </Text>
          </div>
          <QuarantineButton test={test} />
        </Group>
        <QuarantinePanel test={test} />
        <After queries={[results, attachments]}>
          {run !== undefined && <ResultAttachments runId={run} testId={testId} />}
          {failureId === undefined ? (
            below
          ) : (
            <FailurePanels
              key={failureId}
              applicationId={applicationId}
              testId={testId}
              failureId={failureId}
              shiftMs={shift ?? 0}
              onShift={(shiftMs) =>
                void navigate({
                  search: { failure: failureId, run, shift: readShift(shiftMs) },
                  replace: true,
                  resetScroll: false,
                })
              }
            >
              {below}
            </FailurePanels>
          )}
        </After>
      </Stack>
    </>
  )
}

/** Shows since when the test fails on each branch, and on which commits it both failed and passed. */
function Ranges({ test }: { test: Test }) {
  const { applicationId, range, flips } = test
  if (range.length === 0 && flips.length === 0) return null
  return (
    <PlainList size="sm" className={classes['prose'] ?? ''}>
      {range.map(({ branch, environment, lastPassed, firstFailed }) => (
        <PlainList.Item key={`${branch} ${environment}`} className="break">
          Fails on {branch ?? 'no branch'}
          {environment !== null && ` in ${environment}`} since{' '}
          <RunLink applicationId={applicationId} {...firstFailed} />
          {lastPassed === null ? (
            ', and was never seen to pass there.'
          ) : (
            <>
              {'; it last passed in '}
              <RunLink applicationId={applicationId} {...lastPassed} />
              {' ('}
              <Link
                to="/applications/$applicationId/tests/runs/$testRunId/comparison"
                params={{ applicationId, testRunId: firstFailed.runId }}
                search={{ to: lastPassed.runId }}
              >
                compare
              </Link>
              ).
            </>
          )}
        </PlainList.Item>
      ))}
      {flips.map(({ commit, environment }) => (
        <PlainList.Item key={`${commit} ${environment}`} className="break">
          Failed and passed on{' '}
          {commit === null ? 'one run' : <CommitLink applicationId={applicationId} commit={commit} />}
          {environment !== null && ` in ${environment}`}
        </PlainList.Item>
      ))}
    </PlainList>
  )
}

function RunLink({ applicationId, runId, commit }: { applicationId: number; runId: number; commit: string | null }) {
  return (
    <>
      <Link to="/applications/$applicationId/tests/runs/$testRunId" params={{ applicationId, testRunId: runId }}>
        run {runId}
      </Link>
      {commit !== null && (
        <>
          {' of '}
          <CommitLink applicationId={applicationId} commit={commit} />
        </>
      )}
    </>
  )
}
