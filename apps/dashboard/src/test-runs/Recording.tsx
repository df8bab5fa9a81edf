import type { TestAttachment } from '@fairlead/contract'
import { Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { lazyWithin } from '../ui/lazy-part.tsx'
import { Panel } from '../ui/Panel.tsx'
import { isPicture } from './attachment-kinds.ts'
import { failureQuery, timelineQuery } from './queries.ts'
import classes from './recording.module.css'

// Most failures have no recording, and need no script for one.
const AttemptRecording = lazyWithin(async () => (await import('./AttemptRecording.tsx')).AttemptRecording)

interface RecordingProps {
  failureId: number
  /** How much later than said the entries of the log are shown, in milliseconds. */
  shiftMs: number
  onShift: (shiftMs: number) => void
}

/** Shows the pictures and videos of a failure and beside them its log, for each attempt of its own. */
export function Recording({ failureId, shiftMs, onShift }: RecordingProps) {
  const { data: timeline } = useQuery(timelineQuery(failureId))
  const { data: failure } = useQuery(failureQuery(failureId))
  const [chosen, setChosen] = useState<number>()
  if (!timeline || !failure) return null
  const last = Math.max(1, failure.attempts.length)
  const toAttempt = ({ attempt }: Pick<TestAttachment, 'attempt'>) => attempt ?? last
  const pictures = failure.attachments.filter(isPicture)
  const numbers = [...new Set([...timeline.attempts.map(({ attempt }) => attempt), ...pictures.map(toAttempt)])]
  const attempts = numbers.toSorted((a, b) => a - b)
  const shown = chosen ?? attempts.at(-1)
  if (shown === undefined) return null
  return (
    <Panel
      title="Recording"
      actions={
        attempts.length > 1 && (
          <Group gap="xs" role="group" aria-label="Attempt">
            <Text size="sm" c="dimmed" aria-hidden>
              Attempt
            </Text>
            {attempts.map((attempt) => (
              <button
                key={attempt}
                type="button"
                className={classes['choice']}
                aria-label={`Attempt ${attempt}`}
                aria-pressed={attempt === shown}
                onClick={() => setChosen(attempt)}
              >
                {attempt}
              </button>
            ))}
          </Group>
        )
      }
    >
      <AttemptRecording
        key={shown}
        videos={timeline.videos.filter(({ attempt }) => attempt === shown)}
        pictures={pictures.filter((picture) => toAttempt(picture) === shown)}
        entries={timeline.entries.filter(({ attempt }) => attempt === shown)}
        isCut={timeline.isCut}
        shiftMs={shiftMs}
        onShift={onShift}
      />
    </Panel>
  )
}
