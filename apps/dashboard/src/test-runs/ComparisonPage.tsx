import type { TestComparison, TestRun } from '@fairlead/contract'
import { NativeSelect, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useInfiniteQuery, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useTitleIn } from '../applications/use-title-in.ts'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { formatInstant } from '../ui/format.ts'
import { List } from '../ui/ListRow.tsx'
import { Panel } from '../ui/Panel.tsx'
import { requireSame } from '../ui/path-id.ts'
import { comparisonQuery, testRunQuery, testRunsQuery } from './queries.ts'
import { ResultRow } from './ResultList.tsx'
import { toRunName } from './test-name.ts'
import { TestsNav } from './TestsNav.tsx'

const route = getRouteApi('/shell/applications/$applicationId/tests/runs/$testRunId/comparison')

const parts = [
  ['newFailures', 'New failures'],
  ['stillFailing', 'Still failing'],
  ['fixed', 'Fixed'],
  ['appeared', 'New tests'],
  ['vanished', 'Tests that did not run'],
] as const satisfies (readonly [keyof TestComparison['counts'], string])[]

/** Shows what changed between an older run and this one. */
export function ComparisonPage() {
  const { applicationId, testRunId } = route.useParams()
  const { to: chosen } = route.useSearch()
  const { data: run } = useSuspenseQuery(testRunQuery(testRunId))
  requireSame(run.applicationId, applicationId)
  const { data } = useInfiniteQuery(testRunsQuery(run.applicationId, {}))
  const older = (data?.pages.flatMap(({ items }) => items) ?? []).filter(({ id }) => id < run.id)
  // Until another one is chosen, the base is the run before this one, on the same branch if there is one.
  const to = chosen ?? (older.find(({ branch }) => branch === run.branch) ?? older[0])?.id
  useTitleIn(applicationId, `${toRunName(run)}, compared`)
  return (
    <>
      <TestsNav applicationId={applicationId} isOfRun />
      <Stack gap="lg">
        <div>
          <Title order={2} className="break">
            {toRunName(run)} against an older run
          </Title>
          <Link to="/applications/$applicationId/tests/runs/$testRunId" params={{ applicationId, testRunId }}>
            Back to the run
          </Link>
        </div>
        <BaseChoice run={run} older={older} to={to} />
        {to !== undefined && <Differences applicationId={applicationId} testRunId={testRunId} to={to} />}
      </Stack>
    </>
  )
}

interface BaseChoiceProps {
  run: TestRun
  older: TestRun[]
  to: number | undefined
}

function BaseChoice({ run, older, to }: BaseChoiceProps) {
  const navigate = useNavigate()
  const isListed = to === undefined || older.some(({ id }) => id === to)
  return (
    <NativeSelect
      label="Older run"
      maw="32rem"
      value={to === undefined ? '' : String(to)}
      onChange={(event) => {
        const chosen = Number(event.currentTarget.value)
        void navigate({
          to: '/applications/$applicationId/tests/runs/$testRunId/comparison',
          params: { applicationId: run.applicationId, testRunId: run.id },
          search: { to: chosen === 0 ? undefined : chosen },
          replace: true,
        })
      }}
      data={[
        { value: '', label: 'Choose a run' },
        ...(isListed ? [] : [{ value: String(to), label: `Run ${to}` }]),
        ...older.map((one) => ({
          value: String(one.id),
          label: [toRunName(one), one.branch, formatInstant(one.createdDate)].filter(Boolean).join(', '),
        })),
      ]}
    />
  )
}

function Differences({ applicationId, testRunId, to }: { applicationId: number; testRunId: number; to: number }) {
  const { data, error } = useQuery(comparisonQuery(testRunId, to))
  if (error) return <ErrorNotice error={error} />
  if (!data) return <Skeleton height={200} />
  const isEqual = parts.every(([name]) => data.counts[name] === 0)
  if (isEqual) return <Text>Both runs have the same tests with the same results.</Text>
  return parts.map(([name, title]) => {
    const results = data[name]
    const count = data.counts[name]
    if (count === 0) return null
    return (
      <Panel key={name} title={`${title}: ${count}`}>
        <List label={title}>
          {results.map((result) => (
            <ResultRow
              key={`${result.testId} ${result.environment} ${result.case}`}
              result={result}
              applicationId={applicationId}
              runId={name === 'vanished' ? to : testRunId}
            />
          ))}
        </List>
        {results.length < count && (
          <Text size="sm" c="dimmed">
            The first {results.length} are shown.
          </Text>
        )}
      </Panel>
    )
  })
}
