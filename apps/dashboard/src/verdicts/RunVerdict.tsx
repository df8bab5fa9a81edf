import type { Verdict } from '@fairlead/contract'
import { Group, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { splitReasons } from './rule-of-builds.ts'
import { VerdictBadge } from './VerdictBadge.tsx'
import classes from './verdict.module.css'

interface RunVerdictProps {
  verdict: Verdict
  applicationId: number
}

const sentences: Record<Verdict['result'], string> = {
  pass: 'Nothing speaks against it.',
  fail: 'It fails because of this:',
  pending: 'It is not decided yet.',
  noTests: 'Nothing was tested.',
}

/** Shows a verdict with its reasons, the failures that do not count against it, and the crashes of the app. */
export function RunVerdict({ verdict, applicationId }: RunVerdictProps) {
  const { result, reasons, counts, crashes, base } = verdict
  const { ofRuns, ofBuild } = splitReasons(reasons)
  const excused = [
    // A case that passed in the end is flaky as well, and no failure.
    counts.flaky > 0 && `${counts.flaky} known to be flaky`,
    counts.quarantined > 0 && `${counts.quarantined} quarantined`,
    counts.known > 0 && !reasons.some(({ code }) => code === 'known') && `${counts.known} known`,
  ].filter((part) => part !== false)
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <VerdictBadge result={result} />
        <Text size="sm">
          {ofBuild !== null && ofRuns.length === 0 ? 'None of its runs failed.' : sentences[result]}
        </Text>
      </Group>
      {ofRuns.length > 0 && (
        <ul className={classes['list']}>
          {ofRuns.map((detail) => (
            <li key={detail}>{detail}</li>
          ))}
        </ul>
      )}
      {ofBuild !== null && <Text size="sm">{ofBuild}</Text>}
      {excused.length > 0 && <Text size="sm">Failures that do not count: {excused.join(', ')}.</Text>}
      {crashes.length > 0 && (
        <div>
          <Text size="sm" fw={580}>
            The app crashed
          </Text>
          <ul className={classes['list']}>
            {crashes.map(({ failureId, testId, title }) => (
              <li key={failureId}>
                <Link
                  to="/applications/$applicationId/tests/$testId"
                  params={{ applicationId, testId }}
                  search={{ failure: failureId }}
                  className="break"
                >
                  {title}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      )}
      {base !== null && (
        <Text size="sm" c="dimmed">
          Compared with{' '}
          <Link
            to="/applications/$applicationId/tests/runs/$testRunId"
            params={{ applicationId, testRunId: base.runId }}
          >
            run {base.runId}
            {base.commit !== null && ` of commit ${base.commit.slice(0, 10)}`}
          </Link>
        </Text>
      )}
    </Stack>
  )
}
