import type { SymbolicatedCrash } from '@fairlead/contract'
import { Alert, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { SearchX } from 'lucide-react'
import { useMemo, useState } from 'react'
import { CodeBlock } from '../ui/CodeBlock.tsx'
import { CodeName } from '../ui/CodeName.tsx'
import { CopyButton } from '../ui/CopyButton.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Facts } from '../ui/Facts.tsx'
import { formatCount } from '../ui/format.ts'
import { hasSourceLine, readCrashSummary } from './crash-summary.ts'
import { CrashThread } from './CrashThread.tsx'
import { readFrameOrigin } from './frame-origin.ts'
import { MissingImages } from '../ui/MissingImages.tsx'

interface CrashResultProps {
  crash: SymbolicatedCrash
  /** The original report, with the paths of its images. */
  report: string
  applicationId: number
}

/** Shows a crash as source lines, by thread or as text. */
export function CrashResult({ crash, report, applicationId }: CrashResultProps) {
  const [shape, setShape] = useState(crash.threads.length > 0 ? 'threads' : 'text')
  const summary = useMemo(() => readCrashSummary(crash), [crash])
  const origin = useMemo(() => readFrameOrigin(crash.kind, report), [crash, report])
  const frames = crash.threads.flatMap((thread) => thread.frames)
  const ownFrames = frames.filter((frame) => !origin.isOfSystem(frame))
  const resolved = ownFrames.filter(hasSourceLine).length
  const missing = crash.missingSymbols.filter(({ name }) => !origin.isSystemImage(name))
  if (frames.length === 0 && summary.title === null) return <NoCrash />
  // The thread that crashed is shown first, because people look for it.
  const threads = crash.threads.toSorted((a, b) => Number(b.crashed) - Number(a.crashed))
  return (
    <Stack gap="md" component="section" aria-label="The crash, read">
      <Group justify="space-between">
        <Stack gap={0}>
          <Title order={2} className="break">
            <CodeName>{summary.title ?? 'Stack trace'}</CodeName>
          </Title>
          {summary.message !== null && (
            <Text className="break">
              <CodeName>{summary.message}</CodeName>
            </Text>
          )}
          {ownFrames.length > 0 && (
            <Text size="sm" c="dimmed" role="status">
              {resolved} of {formatCount(ownFrames.length, 'frame')} of the app {resolved === 1 ? 'has' : 'have'} a
              source line
            </Text>
          )}
        </Stack>
        <Group gap="xs">
          {crash.threads.length > 0 && (
            <SegmentedControl
              size="xs"
              aria-label="Shape of the result"
              value={shape}
              onChange={setShape}
              data={[
                { value: 'threads', label: 'Frames' },
                { value: 'text', label: 'Text' },
              ]}
            />
          )}
          <CopyButton value={crash.text} label="Copy the readable crash">
            Copy as text
          </CopyButton>
        </Group>
      </Group>
      <Facts facts={summary.facts} />
      {crash.warnings.length > 0 && (
        <Alert color="orange" title="Some of this may be wrong">
          {crash.warnings.map((warning) => (
            <Text key={warning} size="sm">
              {warning}
            </Text>
          ))}
        </Alert>
      )}
      {missing.length > 0 && (
        <Alert color="orange" title="Symbols are missing">
          <Stack gap="xs">
            <Text size="sm">
              Frames of these images have no source lines.{' '}
              <Link to="/applications/$applicationId/symbols" params={{ applicationId }}>
                Upload their symbols
              </Link>
              , then read the crash again.
            </Text>
            <MissingImages images={missing} />
          </Stack>
        </Alert>
      )}
      {shape === 'text' ? (
        <CodeBlock code={crash.text} label="the readable crash" />
      ) : (
        threads.map((thread, index) => (
          <CrashThread
            key={`${thread.name} ${index}`}
            thread={thread}
            number={crash.threads.indexOf(thread)}
            isOnly={threads.length === 1}
            isOfSystem={origin.isOfSystem}
          />
        ))
      )}
    </Stack>
  )
}

export function NoCrash() {
  return (
    <EmptyState icon={SearchX} title="No crash was found in this text">
      <Text c="dimmed">
        It has no exception, no signal and no stack frame. Paste the whole report, from its first line on.
      </Text>
    </EmptyState>
  )
}
