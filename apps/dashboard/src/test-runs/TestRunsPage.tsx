import type { TestRun } from '@fairlead/contract'
import { Button, Group, Stack, Text } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { toShortCommit } from '../applications/short-commit.ts'
import { GitBranch, SearchX } from 'lucide-react'
import { TextFilter } from '../ui/TextFilter.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { formatCount } from '../ui/format.ts'
import { List, ListRow, rowLink } from '../ui/ListRow.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { RoutePending } from '../ui/RoutePending.tsx'
import { When } from '../ui/When.tsx'
import { NoRuns } from './NoRuns.tsx'
import { describeRun, toRunName } from './test-name.ts'
import { testRunsQuery } from './queries.ts'
import { TestsNav } from './TestsNav.tsx'
import classes from './tests.module.css'
import { VerdictBadge } from '../verdicts/VerdictBadge.tsx'

const route = getRouteApi('/shell/applications/$applicationId/tests')

const RunsCharts = lazyPart(
  async () => (await import('./RunsCharts.tsx')).RunsCharts,
  <div className={classes['chartsPlace']} />,
)

export function TestRunsPage() {
  const { applicationId } = route.useParams()
  const search = route.useSearch()
  const navigate = useNavigate()
  const runs = useInfiniteQuery({ ...testRunsQuery(applicationId, search), placeholderData: keepPreviousData })
  const shown = runs.data?.pages.flatMap(({ items }) => items) ?? []
  const isFiltered = search.branch !== undefined
  if (runs.data && shown.length === 0 && !isFiltered) return <NoRuns applicationId={applicationId} />
  return (
    <>
      <TestsNav applicationId={applicationId} />
      <Group mb="sm">
        <TextFilter
          label="Branch"
          placeholder="Branch"
          icon={<GitBranch size={16} />}
          value={search.branch ?? ''}
          onChange={(branch) =>
            void navigate({
              to: '/applications/$applicationId/tests',
              params: { applicationId },
              search: { branch: branch === '' ? undefined : branch },
              replace: true,
            })
          }
          suggestions={[...new Set(shown.flatMap(({ branch }) => branch ?? []))].toSorted()}
          width="0 1 16rem"
        />
      </Group>
      <ErrorNotice error={runs.error} />
      {runs.isPending && <RoutePending />}
      {runs.data && shown.length === 0 && (
        <EmptyState icon={SearchX} title="No run of this branch">
          <Text c="dimmed">Enter the whole name of the branch.</Text>
        </EmptyState>
      )}
      {shown.length > 0 && (
        <Stack gap="md" className={classes['list']} aria-busy={runs.isPlaceholderData}>
          {shown.length > 1 && <RunsCharts runs={shown} />}
          <Text size="sm" c="dimmed" role="status">
            {formatCount(runs.data?.pages[0]?.total ?? 0, 'test run')}
          </Text>
          <List label="Test runs">
            {shown.map((run) => (
              <RunRow key={run.id} run={run} />
            ))}
          </List>
        </Stack>
      )}
      {runs.hasNextPage && (
        <Group justify="center" mt="md">
          <Button variant="default" loading={runs.isFetchingNextPage} onClick={() => void runs.fetchNextPage()}>
            Show more
          </Button>
        </Group>
      )}
    </>
  )
}

function RunRow({ run }: { run: TestRun }) {
  const { applicationId, id: testRunId, branch, commit } = run
  return (
    <ListRow
      title={
        <Group gap="xs">
          <Link
            to="/applications/$applicationId/tests/runs/$testRunId"
            params={{ applicationId, testRunId }}
            className={`${rowLink} break`}
          >
            {toRunName(run)}
          </Link>
          <VerdictBadge result={run.result} />
        </Group>
      }
      sub={[run.key, branch, commit === null ? null : toShortCommit(commit), describeRun(run)]
        .filter((part) => part !== null)
        .join(' · ')}
      side={<When date={run.createdDate} />}
    />
  )
}
