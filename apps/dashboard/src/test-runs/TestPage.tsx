import type { Test } from '@fairlead/contract'
import { Button, Group, List as PlainList, Stack, Text, Title } from '@mantine/core'
import { useInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import { CommitLink } from '../applications/CommitLink.tsx'
import { FailureSuspects } from '../explanations/FailureSuspects.tsx'
import { Facts } from '../ui/Facts.tsx'
import { formatCount } from '../ui/format.ts'
import { List, ListRow, rowLink } from '../ui/ListRow.tsx'
import { Panel } from '../ui/Panel.tsx'
import { DurationChart } from './DurationChart.tsx'
import { FailureView } from './FailureView.tsx'
import { HistoryStrips } from './HistoryStrip.tsx'
import { OutcomeDot } from './Outcome.tsx'
import { OwnerField } from './OwnerField.tsx'
import { QuarantinePanel } from './QuarantinePanel.tsx'
import { resultsOfTestQuery, testQuery } from './queries.ts'
import { Recording } from './Recording.tsx'
import { ResultAttachments } from './ResultAttachments.tsx'
import { readShift } from './search.ts'
import { StateBadge } from './StateBadge.tsx'
import { formatDuration, toTestName, toTestPlace } from './test-name.ts'
import { describeTrend } from './TestsPage.tsx'
import { TestsNav } from './TestsNav.tsx'
import classes from './tests.module.css'

const route = getRouteApi('/shell/applications/$applicationId/tests/$testId')

export function TestPage() {
  const { applicationId, testId } = route.useParams()
  const { failure, run, shift } = route.useSearch()
  const navigate = route.useNavigate()
  const { data: test } = useSuspenseQuery(testQuery(testId))
  const results = useInfiniteQuery(resultsOfTestQuery(testId))
  const shown = results.data?.pages.flatMap(({ items }) => items) ?? []
  const newest = run === undefined ? shown.find((result) => result.failureId !== null)?.failureId : undefined
  const failureId = failure ?? newest ?? undefined
  return (
    <>
      <TestsNav applicationId={applicationId} />
      <Stack gap="lg">
        <div>
          <Group gap="xs">
            <Title order={2} className="break">
              {toTestName(test)}
            </Title>
            <StateBadge state={test.state} />
          </Group>
          <Text c="dimmed" className="break">
            {toTestPlace(test)}
          </Text>
        </div>
        {run !== undefined && <ResultAttachments runId={run} testId={testId} />}
        {failureId !== undefined && (
          <Fragment key={failureId}>
            <FailureView failureId={failureId} applicationId={applicationId} />
            <FailureSuspects failureId={failureId} applicationId={applicationId} />
            <Recording
              failureId={failureId}
              shiftMs={shift ?? 0}
              onShift={(shiftMs) =>
                void navigate({
                  search: { failure: failureId, run, shift: readShift(shiftMs) },
                  replace: true,
                  resetScroll: false,
                })
              }
            />
          </Fragment>
        )}
        {test.recent.length > 0 && (
          <>
            <Panel title="History">
              <Stack>
                <HistoryStrips recent={test.recent} />
                <Ranges test={test} />
              </Stack>
            </Panel>
            <Panel title="Durations">
              <DurationChart recent={test.recent} p95Ms={test.p95Ms} />
              <Text size="sm" c="dimmed">
                This month: {describeTrend(test)}
              </Text>
            </Panel>
          </>
        )}
        <Panel title="Results">
          <List label="Results">
            {shown.map((result) => (
              <ListRow
                key={`${result.runId} ${result.environment} ${result.case}`}
                icon={<OutcomeDot outcome={result.isFlaky ? 'flaky' : result.outcome} />}
                title={
                  <Link
                    to="/applications/$applicationId/tests/runs/$testRunId"
                    params={{ applicationId, testRunId: result.runId }}
                    className={rowLink}
                  >
                    Run {result.runId}
                  </Link>
                }
                sub={[result.environment, result.isFlaky ? 'passed at last' : result.outcome, result.classification]
                  .filter(Boolean)
                  .join(' · ')}
                side={result.durationMs === null ? null : formatDuration(result.durationMs)}
                actions={
                  <Group gap="sm">
                    {result.attachmentCount > 0 && (
                      <Link
                        to="/applications/$applicationId/tests/$testId"
                        params={{ applicationId, testId }}
                        search={{ run: result.runId }}
                      >
                        {formatCount(result.attachmentCount, 'attachment')}
                      </Link>
                    )}
                    {result.failureId !== null && (
                      <Link
                        to="/applications/$applicationId/tests/$testId"
                        params={{ applicationId, testId }}
                        search={{ failure: result.failureId }}
                      >
                        Failure
                      </Link>
                    )}
                  </Group>
                }
              />
            ))}
          </List>
          {results.hasNextPage && (
            <Group justify="center" mt="md">
              <Button
                variant="default"
                loading={results.isFetchingNextPage}
                onClick={() => void results.fetchNextPage()}
              >
                Show more
              </Button>
            </Group>
          )}
        </Panel>
        <QuarantinePanel test={test} />
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
