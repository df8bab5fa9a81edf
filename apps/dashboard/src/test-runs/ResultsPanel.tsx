import type { ResultOfTest } from '@fairlead/contract'
import { Button, Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { toShortCommit } from '../applications/short-commit.ts'
import { formatCount } from '../ui/format.ts'
import { List, ListRow, rowLink } from '../ui/ListRow.tsx'
import { Panel } from '../ui/Panel.tsx'
import { When } from '../ui/When.tsx'
import { OutcomeDot } from './Outcome.tsx'
import { formatDuration, toRunName } from './test-name.ts'

interface ResultsPanelProps {
  applicationId: number
  shown: ResultOfTest[]
  results: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> }
}

/** Lists the results of a test, newest first. */
export function ResultsPanel({ applicationId, shown, results }: ResultsPanelProps) {
  return (
    <Panel title="Results">
      <List label="Results">
        {shown.map((result) => (
          <ResultRow
            key={`${result.runId} ${result.environment} ${result.case}`}
            applicationId={applicationId}
            result={result}
          />
        ))}
      </List>
      {results.hasNextPage && (
        <Group justify="center" mt="md">
          <Button variant="default" loading={results.isFetchingNextPage} onClick={() => void results.fetchNextPage()}>
            Show more
          </Button>
        </Group>
      )}
    </Panel>
  )
}

function ResultRow({ applicationId, result }: { applicationId: number; result: ResultOfTest }) {
  const { runId, testId, branch, commit, runDate, environment, outcome, isFlaky, classification, durationMs } = result
  const words = [isFlaky ? 'passed at last' : outcome, classification, environment]
  const source = [branch, commit === null ? null : toShortCommit(commit)]
  const join = (parts: (string | null)[]) => parts.filter((part) => part !== null && part !== '').join(' · ')
  return (
    <ListRow
      icon={<OutcomeDot outcome={isFlaky ? 'flaky' : outcome} />}
      title={
        <Link
          to="/applications/$applicationId/tests/runs/$testRunId"
          params={{ applicationId, testRunId: runId }}
          className={rowLink}
        >
          {toRunName({ id: runId })}
        </Link>
      }
      sub={
        <>
          <div>{join(words)}</div>
          <div>{join(source)}</div>
        </>
      }
      side={
        <>
          <When date={runDate} />
          {durationMs !== null && <div>{formatDuration(durationMs)}</div>}
        </>
      }
      actions={
        (result.attachmentCount > 0 || result.failureId !== null) && (
          <Group gap="sm">
            {result.attachmentCount > 0 && (
              <Link
                to="/applications/$applicationId/tests/$testId"
                params={{ applicationId, testId }}
                search={{ run: runId }}
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
        )
      }
    />
  )
}
