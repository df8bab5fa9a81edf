import type { TestAttachment, TestTimeline } from '@fairlead/contract'
import { Alert, Group, Stack } from '@mantine/core'
import { useRef, useState } from 'react'
import { LogEntries } from './LogEntries.tsx'
import { Pictures } from './Pictures.tsx'
import { ShiftField } from './ShiftField.tsx'
import classes from './recording.module.css'

interface AttemptRecordingProps extends Pick<TestTimeline, 'videos' | 'entries' | 'isCut'> {
  pictures: TestAttachment[]
  shiftMs: number
  onShift: (shiftMs: number) => void
}

/** Shows what was recorded of one attempt: its video, its pictures, and the log of the same time beside them. */
export function AttemptRecording({ videos, pictures, entries, isCut, shiftMs, onShift }: AttemptRecordingProps) {
  const player = useRef<HTMLVideoElement>(null)
  const [nowMs, setNowMs] = useState(0)
  const [chosen, setChosen] = useState(0)
  const [isBroken, setBroken] = useState(false)
  const video = videos[chosen]
  const seek = (entryMs: number) => {
    const atMs = entryMs + shiftMs
    setNowMs(atMs)
    if (player.current) player.current.currentTime = Math.max(0, atMs / 1000)
  }
  return (
    <div className={classes['columns']} data-media={video !== undefined || pictures.length > 0}>
      {(video || pictures.length > 0) && (
        <Stack gap="xs" miw={0}>
          {isBroken && <Alert color="orange">This browser cannot play the video.</Alert>}
          {/* The video has no captions, because the log beside it says in words what happened. */}
          {video && (
            <video
              ref={player}
              key={video.attachmentId}
              className={classes['video']}
              src={`/v1/testAttachments/${video.attachmentId}`}
              controls
              muted
              preload="metadata"
              aria-label={video.name}
              onTimeUpdate={(event) => setNowMs(event.currentTarget.currentTime * 1000)}
              onError={() => setBroken(true)}
            />
          )}
          {videos.length > 1 && (
            <Group gap="xs">
              {videos.map(({ attachmentId, name }, index) => (
                <button
                  key={attachmentId}
                  type="button"
                  className={classes['choice']}
                  aria-pressed={index === chosen}
                  onClick={() => {
                    setBroken(false)
                    setChosen(index)
                  }}
                >
                  {name}
                </button>
              ))}
            </Group>
          )}
          <Pictures pictures={pictures} />
        </Stack>
      )}
      {entries.length > 0 && (
        <Stack gap="xs" miw={0}>
          {video && <ShiftField shiftMs={shiftMs} onShift={onShift} />}
          <LogEntries
            entries={entries}
            shiftMs={shiftMs}
            nowMs={video ? nowMs : undefined}
            isCut={isCut}
            onSeek={seek}
          />
        </Stack>
      )}
    </div>
  )
}
