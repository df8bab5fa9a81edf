import type { SymbolicatedCrash } from '@fairlead/contract'
import { Alert, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { CodeBlock } from '../ui/CodeBlock.tsx'
import { CopyButton } from '../ui/CopyButton.tsx'
import { CrashThread } from './CrashThread.tsx'
import { MissingImages } from './MissingImages.tsx'

interface CrashResultProps {
  crash: SymbolicatedCrash
  applicationId: number
}

/** Shows a symbolicated crash by thread or as text. */
export function CrashResult({ crash, applicationId }: CrashResultProps) {
  const [shape, setShape] = useState(crash.threads.length > 0 ? 'threads' : 'text')
  const frames = crash.threads.flatMap((thread) => thread.frames)
  const resolved = frames.filter(({ file, line }) => file !== null && line !== null).length
  // The crashed thread comes first.
  const threads = crash.threads.toSorted((a, b) => Number(b.crashed) - Number(a.crashed))
  return (
    <Stack gap="md" component="section" aria-label="The crash, read">
      <Group justify="space-between">
        <Stack gap={0}>
          <Title order={2}>Result</Title>
          {frames.length > 0 && (
            <Text size="sm" c="dimmed" role="status">
              {resolved} of {frames.length} frames have a source line
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
      {crash.warnings.length > 0 && (
        <Alert color="orange" title="Read with reservations">
          {crash.warnings.map((warning) => (
            <Text key={warning} size="sm">
              {warning}
            </Text>
          ))}
        </Alert>
      )}
      {crash.missingSymbols.length > 0 && (
        <Alert color="orange" title="Symbols are missing">
          <Stack gap="xs">
            <Text size="sm">
              Frames of these images stay as they are.{' '}
              <Link to="/applications/$applicationId/symbols" params={{ applicationId }}>
                Upload their symbols
              </Link>
              , then read the crash again.
            </Text>
            <MissingImages images={crash.missingSymbols} />
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
          />
        ))
      )}
    </Stack>
  )
}
