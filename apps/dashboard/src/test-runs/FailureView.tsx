import type { TestCrash, TestFailure } from '@fairlead/contract'
import { Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import { CommitLink } from '../applications/CommitLink.tsx'
import { readFrameOrigin } from '../symbols/frame-origin.ts'
import { CrashThread } from '../symbols/CrashThread.tsx'
import { CodeBlock } from '../ui/CodeBlock.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { MissingImages } from '../ui/MissingImages.tsx'
import { Panel } from '../ui/Panel.tsx'
import { Attachments } from './Attachments.tsx'
import { failureQuery } from './queries.ts'

interface FailureViewProps {
  failureId: number
  applicationId: number
}

/** This many threads of a crash are shown; the others say little about a test. */
const maxThreads = 4

/** Shows a failure of a test: the crash as source lines, the attempts, the attachments and the outputs. */
export function FailureView({ failureId, applicationId }: FailureViewProps) {
  const { data: failure, error } = useQuery(failureQuery(failureId))
  return (
    <Panel title="Failure">
      <ErrorNotice error={error} />
      {failure && <Failure failure={failure} applicationId={applicationId} />}
    </Panel>
  )
}

function Failure({ failure, applicationId }: { failure: TestFailure; applicationId: number }) {
  const { type, message, place, commit, crashes, attempts, outputs, attachments, runId } = failure
  const attachmentsOf = (number: number | null) => attachments.filter(({ attempt }) => attempt === number)
  return (
    <Stack>
      <div>
        {type !== null && (
          <Text fw={580} className="break">
            {type}
          </Text>
        )}
        {message !== null && (
          <Text size="sm" className="break preserve" lineClamp={12}>
            {crashes.length > 0 ? withoutTrace(message) : message}
          </Text>
        )}
        <Text size="sm" c="dimmed" className="break">
          {place !== null && (
            <>
              <code>{place.line === null ? place.file : `${place.file}:${place.line}`}</code>
              {' · '}
            </>
          )}
          <Link to="/applications/$applicationId/tests/runs/$testRunId" params={{ applicationId, testRunId: runId }}>
            Run {runId}
          </Link>
          {commit !== null && (
            <>
              {' of commit '}
              <CommitLink applicationId={applicationId} commit={commit} />
            </>
          )}
        </Text>
      </div>
      {groupCrashes(crashes).map(({ crash, count }, index) => (
        <Crash key={`${index} ${crash.source}`} found={crash} count={count} />
      ))}
      <Attachments attachments={attempts.length > 1 ? attachmentsOf(null) : attachments} />
      {attempts.map(({ outcome, failures }, index) => (
        <Fragment key={`${index}`}>
          {attempts.length > 1 && (failures.length > 0 || attachmentsOf(index + 1).length > 0) && (
            <Title order={3} size="h5">
              Attempt {index + 1}, {outcome}
            </Title>
          )}
          {attempts.length > 1 && (
            <Attachments attachments={attachmentsOf(index + 1)} label={`Attachments of attempt ${index + 1}`} />
          )}
          {failures.map(
            ({ text }, place) =>
              (attempts.length > 1 || text.trim() !== message?.trim()) && (
                <details key={`${place}`} open={crashes.length === 0}>
                  <summary>The {outcome === 'failed' ? 'failure' : 'reason'} as the report has it</summary>
                  <CodeBlock code={text} label={`the failure of attempt ${index + 1}`} />
                </details>
              ),
          )}
        </Fragment>
      ))}
      {outputs.map(({ stream, text }, index) => (
        <details key={`${index} ${stream}`}>
          <summary>{stream === 'out' ? 'Standard output' : 'Standard error'}</summary>
          <CodeBlock code={text} label={stream === 'out' ? 'the standard output' : 'the standard error'} />
        </details>
      ))}
    </Stack>
  )
}

const sources: Partial<Record<string, string>> = {
  failure: 'In the failure',
  output: 'In the output',
}

/** Many tools put the whole stack trace into the message; the resolved frames are shown below it. */
function withoutTrace(message: string): string {
  return message.replace(/\n\s*at [\s\S]*$/, '')
}

/** Joins equal crashes, because a test that fails in every attempt mostly fails in the same way. */
function groupCrashes(crashes: TestCrash[]): { crash: TestCrash; count: number }[] {
  const equal = Map.groupBy(crashes, ({ source, crash }) => JSON.stringify([source, crash.threads]))
  return [...equal.values()].flatMap((some) => (some[0] ? [{ crash: some[0], count: some.length }] : []))
}

function Crash({ found: { source, crash }, count }: { found: TestCrash; count: number }) {
  const origin = readFrameOrigin(crash.kind, crash.text)
  const missing = crash.missingSymbols.filter(({ name }) => !origin.isSystemImage(name))
  const threads = crash.threads.toSorted((a, b) => Number(b.crashed) - Number(a.crashed)).slice(0, maxThreads)
  return (
    <Stack gap="xs" component="section" aria-label={`Crash: ${source}`}>
      <Text size="sm" fw={580} className="break">
        {sources[source] ?? `In ${source}`}
        {count > 1 && `, ${count} times`}
      </Text>
      {threads.map((thread, index) => (
        <CrashThread
          key={`${thread.name} ${index}`}
          thread={thread}
          number={crash.threads.indexOf(thread)}
          isOnly={crash.threads.length === 1}
          isOfSystem={origin.isOfSystem}
        />
      ))}
      {missing.length > 0 && (
        <>
          <Text size="sm">Symbols are missing, and frames of these images have no source lines:</Text>
          <MissingImages images={missing} />
        </>
      )}
    </Stack>
  )
}
