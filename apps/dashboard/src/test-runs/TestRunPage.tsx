import type { FailureGroupOfRun, TestRun } from '@fairlead/contract'
import { Badge, Button, Group, Stack, Text, Title } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { CommitLink } from '../applications/CommitLink.tsx'
import { useTitleIn } from '../applications/use-title-in.ts'
import { client, queryClient } from '../api/client.ts'
import { useCan } from '../api/session.ts'
import { After } from '../ui/After.tsx'
import { Facts } from '../ui/Facts.tsx'
import { formatCount } from '../ui/format.ts'
import { ButtonLink } from '../ui/links.tsx'
import { List, ListRow, rowLink } from '../ui/ListRow.tsx'
import { Panel } from '../ui/Panel.tsx'
import { requireSame } from '../ui/path-id.ts'
import { tellFailure } from '../ui/tell.ts'
import { WebLink } from '../ui/WebLink.tsx'
import { When } from '../ui/When.tsx'
import { CountsBar } from './Outcome.tsx'
import { groupsOfRunQuery, testRunQuery, verdictQuery } from './queries.ts'
import { firstResultsQuery, ResultList } from './ResultList.tsx'
import { RunVerdict } from '../verdicts/RunVerdict.tsx'
import { toRunName } from './test-name.ts'
import { TestsNav } from './TestsNav.tsx'

const route = getRouteApi('/shell/applications/$applicationId/tests/runs/$testRunId')

export function TestRunPage() {
  const { applicationId, testRunId } = route.useParams()
  const { data: run } = useSuspenseQuery(testRunQuery(testRunId))
  requireSame(run.applicationId, applicationId)
  useTitleIn(applicationId, toRunName(run))
  const isOpen = run.state === 'open'
  const verdictOfRun = useQuery(verdictQuery(testRunId, isOpen))
  const groupsOfRun = useQuery(groupsOfRunQuery(testRunId, isOpen))
  const firstResults = useInfiniteQuery({ ...firstResultsQuery(run), placeholderData: keepPreviousData })
  const queries = [verdictOfRun, groupsOfRun, firstResults]
  const { data: verdict } = verdictOfRun
  const { data: groups = [] } = groupsOfRun
  // The link makes the line higher, so it comes together with what stands below it.
  const baseRunId = queries.some(({ isLoading }) => isLoading) ? undefined : verdict?.base?.runId
  return (
    <>
      <TestsNav applicationId={applicationId} isOfRun />
      <Stack gap="lg">
        <Group justify="space-between" gap="sm">
          <Title order={2} className="break">
            {toRunName(run)}
          </Title>
          <Group gap="xs">
            {baseRunId !== undefined && (
              <ButtonLink
                variant="default"
                to="/applications/$applicationId/tests/runs/$testRunId/comparison"
                params={{ applicationId, testRunId }}
                search={{ to: baseRunId }}
              >
                Compare with its base
              </ButtonLink>
            )}
            {isOpen && <CompleteButton run={run} />}
          </Group>
        </Group>
        {isOpen && (
          <Text size="sm" role="status">
            {describeArrival(run)}
          </Text>
        )}
        <After queries={queries}>
          <CountsBar counts={run.counts} />
          {verdict && (
            <Panel title="Verdict">
              <RunVerdict verdict={verdict} applicationId={applicationId} />
            </Panel>
          )}
          {groups.length > 0 && (
            <Panel title="Failures by cause">
              <List label="Failures by cause">
                {groups.map((group) => (
                  <GroupRow key={group.groupId} group={group} run={run} />
                ))}
              </List>
            </Panel>
          )}
          <Panel title="Cases">
            <ResultList run={run} />
          </Panel>
          <Panel title="Details">
            <RunFacts run={run} />
          </Panel>
        </After>
      </Stack>
    </>
  )
}

function describeArrival({ shards }: TestRun): string {
  if (shards.expected === null) return 'This run is still arriving. The page follows it.'
  return `${shards.received.length} of ${formatCount(shards.expected, 'shard')} came. The page follows the run.`
}

function CompleteButton({ run }: { run: TestRun }) {
  const complete = useMutation({
    mutationFn: () => client.tests.completeRun(run.id),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['testRuns', run.id] }),
    onError: tellFailure,
  })
  if (!useCan('developer')) return null
  return (
    <Button variant="default" loading={complete.isPending} onClick={() => complete.mutate()}>
      Complete and judge it
    </Button>
  )
}

function GroupRow({ group, run }: { group: FailureGroupOfRun; run: TestRun }) {
  const { count, testCount, frames, classifications, firstRunId } = group
  const since = firstRunId === null || firstRunId === run.id ? '' : `, seen since run ${firstRunId}`
  return (
    <ListRow
      title={
        <Group gap="xs">
          <Link
            to="/applications/$applicationId/tests/$testId"
            params={{ applicationId: run.applicationId, testId: group.testId }}
            search={{ failure: group.failureId }}
            className={`${rowLink} break`}
          >
            {group.title}
          </Link>
          {classifications.map((name) => (
            <Badge key={name} color={name === 'new' || name === 'infrastructure' ? 'red' : 'gray'} className="word">
              {name}
            </Badge>
          ))}
        </Group>
      }
      sub={
        <>
          {formatCount(count, 'failure')} of {formatCount(testCount, 'test')}
          {since}
          {frames[0] !== undefined && (
            <>
              {' · '}
              <code className="break">{frames[0]}</code>
            </>
          )}
        </>
      }
    />
  )
}

function RunFacts({ run }: { run: TestRun }) {
  const { branch, commit, ciUrl, buildId, attempt, shards, applicationId } = run
  return (
    <Facts
      facts={[
        ['Key', run.key],
        ['Branch', branch],
        ['Commit', commit && <CommitLink applicationId={applicationId} commit={commit} />],
        ['Base commit', run.baseCommit && <CommitLink applicationId={applicationId} commit={run.baseCommit} />],
        ['CI job', ciUrl && <WebLink url={ciUrl} />],
        [
          'Build',
          buildId === null ? null : (
            <Link to="/builds/$buildId" params={{ buildId }}>
              Open the build
            </Link>
          ),
        ],
        ['Attempt', attempt > 1 ? attempt : null],
        ['Shards', shards.expected === null ? null : `${shards.received.join(', ')} of ${shards.expected}`],
        ['Complete', run.isIncomplete ? 'No: a shard or a broken file is missing' : null],
        ['Started', <When key="started" date={run.createdDate} />],
        ['Judged', run.completedDate && <When date={run.completedDate} />],
      ]}
    />
  )
}
