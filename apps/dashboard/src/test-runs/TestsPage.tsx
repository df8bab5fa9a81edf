import type { Test } from '@fairlead/contract'
import { Button, Group, Stack, Text } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { Search, SearchX } from 'lucide-react'
import { applicationQuery } from '../applications/queries.ts'
import { CodeBlock } from '../ui/CodeBlock.tsx'
import { TextFilter } from '../ui/TextFilter.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { formatCount, formatDay } from '../ui/format.ts'
import { List, ListRow, rowLink } from '../ui/ListRow.tsx'
import { RoutePending } from '../ui/RoutePending.tsx'
import { Strip } from './HistoryStrip.tsx'
import { describeTrend } from './describe-trend.ts'
import { testsQuery } from './queries.ts'
import { NoRuns } from './NoRuns.tsx'
import type { ListedState, TestsSearch } from './search.ts'
import { formatDuration, toTestName, toTestPlace } from './test-name.ts'
import { TestsNav } from './TestsNav.tsx'
import { TestsTable } from './TestsTable.tsx'
import classes from './tests.module.css'

const route = getRouteApi('/shell/applications/$applicationId/tests/all')

const explanations: Record<ListedState, string> = {
  failing: 'Tests whose last result on the default branch failed, and that are neither flaky nor quarantined.',
  flaky: 'Tests that failed and passed on the same commit, on two commits within 14 days. The costliest come first.',
  slow: 'The slowest tests by their 95th percentile, and how their mean changed against the month before.',
  quarantined: 'Failures of these tests do not fail a run. Every quarantine ends by itself after 14 days.',
}

/** A row has space for this many cells of history. */
const maxCells = 32

/** Takes the place of an empty list. */
function NoTests({ applicationId, search: { state, q } }: { applicationId: number; search: TestsSearch }) {
  if (state === undefined && q === undefined) return <NoRuns applicationId={applicationId} />
  const title = state === undefined || q !== undefined ? 'No such test' : `No ${state} tests`
  return (
    <EmptyState icon={SearchX} title={title}>
      <Text c="dimmed" ta="center" maw="40rem">
        {q !== undefined && 'Try a shorter search.'}
        {q === undefined && (state === 'failing' || state === 'flaky') && 'That is good news.'}
        {q === undefined && state === 'slow' && 'Tests appear here when reports say how long they took.'}
        {q === undefined && state === 'quarantined' && 'The page of a test has a form for it, and the command line:'}
      </Text>
      {q === undefined && state === 'quarantined' && <QuarantineLine applicationId={applicationId} />}
    </EmptyState>
  )
}

function QuarantineLine({ applicationId }: { applicationId: number }) {
  const { data: application } = useSuspenseQuery(applicationQuery(applicationId))
  return (
    <Stack w="100%" miw={0}>
      <CodeBlock
        label="the command that quarantines a test"
        code={`fairlead tests quarantine add TEST --app ${application.alias} --reason TEXT`}
      />
    </Stack>
  )
}

export function TestsPage() {
  const { applicationId } = route.useParams()
  const search = route.useSearch()
  const { state } = search
  const navigate = useNavigate()
  const tests = useInfiniteQuery({ ...testsQuery(applicationId, search), placeholderData: keepPreviousData })
  const show = (changed: Partial<TestsSearch>) =>
    void navigate({
      to: '/applications/$applicationId/tests/all',
      params: { applicationId },
      search: { ...search, ...changed },
      replace: true,
    })
  const shown = tests.data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <>
      <TestsNav applicationId={applicationId} />
      {search.state !== undefined && (
        <Text size="sm" c="dimmed" mb="sm">
          {explanations[search.state]}
        </Text>
      )}
      <Group mb="sm">
        <TextFilter
          label="Search tests"
          placeholder="Suite, class or name"
          icon={<Search size={16} />}
          value={search.q ?? ''}
          onChange={(q) => show({ q: q === '' ? undefined : q })}
          width="0 1 22rem"
        />
      </Group>
      <ErrorNotice error={tests.error} />
      {tests.isPending && <RoutePending />}
      {tests.data && shown.length === 0 && <NoTests applicationId={applicationId} search={search} />}
      {shown.length > 0 && (
        <Stack gap="xs" className={classes['list']} aria-busy={tests.isPlaceholderData}>
          <Text size="sm" c="dimmed" role="status">
            {formatCount(tests.data?.pages[0]?.total ?? 0, 'test')}
            {search.state === undefined && tests.hasNextPage && `, of which ${shown.length} are shown`}
          </Text>
          {state === undefined ? (
            <TestsTable
              tests={shown}
              isComplete={!tests.hasNextPage}
              sort={search.sort}
              onSort={(sort) => show({ sort })}
            />
          ) : (
            <List label="Tests">
              {shown.map((test) => (
                <TestRow key={test.id} test={test} state={state} />
              ))}
            </List>
          )}
        </Stack>
      )}
      {tests.hasNextPage && (
        <Group justify="center" mt="md">
          <Button variant="default" loading={tests.isFetchingNextPage} onClick={() => void tests.fetchNextPage()}>
            Show more
          </Button>
        </Group>
      )}
    </>
  )
}

function TestRow({ test, state }: { test: Test; state: ListedState }) {
  const { applicationId, id: testId, owner, quarantine } = test
  return (
    <ListRow
      title={
        <Link
          to="/applications/$applicationId/tests/$testId"
          params={{ applicationId, testId }}
          className={`${rowLink} break`}
        >
          {toTestName(test)}
        </Link>
      }
      sub={
        <>
          {[toTestPlace(test), owner === null ? null : `owned by ${owner}`].filter(Boolean).join(' · ')}
          <div>{describeMeasure(test, state)}</div>
          {quarantine !== null && (
            <div>
              Until {formatDay(quarantine.expirationDate)}: {quarantine.reason}
            </div>
          )}
          <Strip results={test.recent.slice(-maxCells)} />
        </>
      }
    />
  )
}

/** Formats the figure by which the list is sorted. */
function describeMeasure(test: Test, state: ListedState): string {
  if (state === 'flaky') {
    return `${formatDuration(test.flakeCost * 60_000)} lost, ${formatCount(test.flips.length, 'flip')}`
  }
  if (test.p95Ms === null) return ''
  return `p95 ${formatDuration(test.p95Ms)}${state === 'slow' ? `, ${describeTrend(test)}` : ''}`
}
