import type { ApplicationOverview, OverviewTest } from '@fairlead/contract'
import { Group, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { describeRun, toRunName } from '../test-runs/test-name.ts'
import { CodeName } from '../ui/CodeName.tsx'
import { AnchorLink } from '../ui/links.tsx'
import { List, ListRow, rowLink } from '../ui/ListRow.tsx'
import { Panel } from '../ui/Panel.tsx'
import { When } from '../ui/When.tsx'
import { VerdictBadge } from '../verdicts/VerdictBadge.tsx'
import { formatSome } from '../ui/rates.ts'

interface TestsPanelProps {
  applicationId: number
  tests: ApplicationOverview['tests']
}

/** The newest run of the default branch, and the tests that fail or became flaky. */
export function TestsPanel({ applicationId, tests }: TestsPanelProps) {
  const { latestRun: run, failing, failingCount, flaky, flakyCount } = tests
  const params = { applicationId }
  return (
    <Panel
      title="Tests"
      actions={
        <AnchorLink to="/applications/$applicationId/tests" params={params} size="sm">
          All runs
        </AnchorLink>
      }
    >
      <Stack gap="sm">
        {run ? (
          <Group gap="xs">
            <VerdictBadge result={run.result} />
            <AnchorLink
              to="/applications/$applicationId/tests/runs/$testRunId"
              params={{ applicationId, testRunId: run.id }}
              className="break"
              size="sm"
            >
              {toRunName(run)}
            </AnchorLink>
            <Text size="sm" c="dimmed">
              {describeRun(run)} · <When date={run.createdDate} />
            </Text>
          </Group>
        ) : (
          <Text size="sm" c="dimmed">
            No complete run of the default branch.
          </Text>
        )}
        <Tests
          applicationId={applicationId}
          title={formatSome(failingCount, 'test fails', 'tests fail')}
          tests={failing}
        />
        <Tests
          applicationId={applicationId}
          title={`${formatSome(flakyCount, 'test')} became flaky in the last 14 days`}
          tests={flaky}
        />
      </Stack>
    </Panel>
  )
}

interface TestsProps {
  applicationId: number
  title: string
  tests: readonly OverviewTest[]
}

function Tests({ applicationId, title, tests }: TestsProps) {
  if (tests.length === 0) return null
  return (
    <div>
      <Text size="sm" fw={580} mb={4}>
        {title}
      </Text>
      <List label={title}>
        {tests.map((test) => (
          <ListRow
            key={test.id}
            title={
              <Link
                to="/applications/$applicationId/tests/$testId"
                params={{ applicationId, testId: test.id }}
                className={`${rowLink} break`}
              >
                {test.name}
              </Link>
            }
            sub={
              <span className="break">
                <CodeName>{test.class ?? test.suite ?? ''}</CodeName>
              </span>
            }
          />
        ))}
      </List>
    </div>
  )
}
