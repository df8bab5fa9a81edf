import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CommitLink } from '../applications/CommitLink.tsx'
import { Facts } from '../ui/Facts.tsx'
import { formatCount } from '../ui/format.ts'
import { When } from '../ui/When.tsx'
import { isPicture, isVideo } from './attachment-kinds.ts'
import { Pictures } from './Pictures.tsx'
import { attachmentsQuery, testRunQuery } from './queries.ts'
import { toRunName } from './test-name.ts'
import classes from './tests.module.css'

interface PassedRunProps {
  applicationId: number
  testId: number
  runId: number
  failedRunId: number
}

/** Says of a run when and of which commit it was, and shows what it recorded of a test. */
export function PassedRun({ applicationId, testId, runId, failedRunId }: PassedRunProps) {
  const { data: run } = useQuery(testRunQuery(runId))
  const { data: attachments = [] } = useQuery(attachmentsQuery(runId, testId))
  const video = attachments.find(isVideo)
  return (
    <Stack gap="sm">
      <Facts
        facts={[
          [
            'Run',
            <Link
              key="run"
              to="/applications/$applicationId/tests/runs/$testRunId"
              params={{ applicationId, testRunId: runId }}
            >
              {toRunName({ id: runId })}
            </Link>,
          ],
          ['Branch', run?.branch],
          ['Commit', run?.commit && <CommitLink applicationId={applicationId} commit={run.commit} />],
          ['Date', run && <When date={run.createdDate} />],
        ]}
      />
      {video && (
        <video
          className={classes['media']}
          src={`/v1/testAttachments/${video.id}`}
          controls
          muted
          preload="metadata"
          aria-label={`When it passed: ${video.name}`}
        />
      )}
      <Pictures
        pictures={attachments.filter(isPicture).map((one) => ({ ...one, name: `When it passed: ${one.name}` }))}
      />
      <Text size="sm">
        <Link
          to="/applications/$applicationId/tests/runs/$testRunId/comparison"
          params={{ applicationId, testRunId: failedRunId }}
          search={{ to: runId }}
        >
          Compare the runs
        </Link>
        {attachments.length > 0 && (
          <>
            {' · '}
            <Link
              to="/applications/$applicationId/tests/$testId"
              params={{ applicationId, testId }}
              search={{ run: runId }}
            >
              {formatCount(attachments.length, 'attachment')}
            </Link>
          </>
        )}
      </Text>
    </Stack>
  )
}
