import type { TestResult, TestRun } from '@fairlead/contract'
import { Badge, Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { List, ListRow, rowLink } from '../ui/ListRow.tsx'
import { OutcomeDot } from './Outcome.tsx'
import { resultsQuery } from './queries.ts'
import type { ResultFilter } from './search.ts'
import { describePassed, formatDuration, toTestName, toTestPlace } from './test-name.ts'
import classes from './tests.module.css'

const filters = {
  all: {},
  failed: { outcome: 'failed' },
  passed: { outcome: 'passed' },
  skipped: { outcome: 'skipped' },
} as const satisfies Record<string, ResultFilter>

const toFirstFilter = ({ counts }: TestRun): keyof typeof filters => (counts.failed > 0 ? 'failed' : 'all')

const resultsOfRunQuery = (run: TestRun, filter: keyof typeof filters) =>
  resultsQuery(run.id, run.state === 'open', filters[filter])

/** The query of the cases that are listed at first. */
export const firstResultsQuery = (run: TestRun) => resultsOfRunQuery(run, toFirstFilter(run))

/** Lists the cases of a run, page by page. */
export function ResultList({ run }: { run: TestRun }) {
  const [chosen, setChosen] = useState(toFirstFilter(run))
  const query = resultsOfRunQuery(run, chosen)
  const results = useInfiniteQuery({ ...query, placeholderData: keepPreviousData })
  const shown = results.data?.pages.flatMap(({ items }) => items) ?? []
  const { cases, failed, skipped } = run.counts
  return (
    <Stack gap="sm">
      <SegmentedControl
        size="xs"
        aria-label="Outcome"
        value={chosen}
        onChange={(value) => {
          setChosen(value)
        }}
        data={[
          { value: 'all', label: `All ${cases}` },
          { value: 'failed', label: `Failed ${failed}` },
          { value: 'passed', label: describePassed(run.counts) },
          { value: 'skipped', label: `Skipped ${skipped}` },
        ]}
      />
      <ErrorNotice error={results.error} />
      <div className={classes['list']} aria-busy={results.isPlaceholderData || results.isPending}>
        {results.data && shown.length === 0 && (
          <Text size="sm" c="dimmed">
            There is none.
          </Text>
        )}
        {shown.length > 0 && (
          <List label="Cases">
            {shown.map((result) => (
              <ResultRow
                key={`${result.testId} ${result.environment} ${result.case}`}
                result={result}
                applicationId={run.applicationId}
                runId={run.id}
              />
            ))}
          </List>
        )}
      </div>
      {results.hasNextPage && (
        <Group justify="center">
          <Button variant="default" loading={results.isFetchingNextPage} onClick={() => void results.fetchNextPage()}>
            Show more cases
          </Button>
        </Group>
      )}
    </Stack>
  )
}

interface ResultRowProps {
  result: TestResult
  applicationId: number
  runId: number
}

/** Shows a case. The link leads to the test, and to the failure or else the attachments if there are any. */
export function ResultRow({ result, applicationId, runId }: ResultRowProps) {
  const { testId, environment, outcome, isFlaky, classification, failureId, attempts, durationMs, attachmentCount } =
    result
  const message = attempts.findLast((attempt) => attempt.message !== null)?.message ?? null
  return (
    <ListRow
      icon={<OutcomeDot outcome={isFlaky ? 'flaky' : outcome} />}
      title={
        <Group gap="xs">
          <Link
            to="/applications/$applicationId/tests/$testId"
            params={{ applicationId, testId }}
            search={failureId === null ? (attachmentCount > 0 ? { run: runId } : {}) : { failure: failureId }}
            className={`${rowLink} break`}
          >
            {toTestName(result)}
            {result.case > 1 && ` #${result.case}`}
          </Link>
          {classification !== null && (
            <Badge color={classification === 'new' ? 'red' : 'gray'} className="word">
              {classification}
            </Badge>
          )}
        </Group>
      }
      sub={
        <>
          {[toTestPlace(result), environment].filter(Boolean).join(' · ')}
          {message !== null && (
            <Text size="sm" lineClamp={2} className="break">
              {message}
            </Text>
          )}
        </>
      }
      side={
        <>
          <div>{isFlaky ? 'passed at last' : outcome}</div>
          {durationMs !== null && <div>{formatDuration(durationMs)}</div>}
        </>
      }
    />
  )
}
