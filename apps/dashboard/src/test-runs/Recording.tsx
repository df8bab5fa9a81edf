import type { TestTimeline } from '@fairlead/contract'
import { Alert, Badge, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Panel } from '../ui/Panel.tsx'
import { timelineQuery } from './queries.ts'
import { ShiftField } from './ShiftField.tsx'
import classes from './recording.module.css'

type Entry = TestTimeline['entries'][number]

/** This many entries are rendered at once, around the time that the video shows. */
const maxShown = 400

interface RecordingProps {
  failureId: number
  /** How much later than said the entries of the log are shown, in milliseconds. */
  shiftMs: number
  onShift: (shiftMs: number) => void
}

/** Shows the video of a failure, and beside it the logs, requests and messages of the same time. */
export function Recording({ failureId, shiftMs, onShift }: RecordingProps) {
  const { data: timeline } = useQuery(timelineQuery(failureId))
  const video = useRef<HTMLVideoElement>(null)
  const [nowMs, setNowMs] = useState(0)
  const [chosen, setChosen] = useState(0)
  const [isBroken, setBroken] = useState(false)
  if (!timeline || (timeline.videos.length === 0 && timeline.entries.length === 0)) return null
  const { videos, entries, isCut } = timeline
  const shownVideo = videos[chosen]
  const current = shownVideo ? findCurrent(entries, nowMs - shiftMs) : -1
  const start = Math.max(0, Math.min(current - maxShown / 2, entries.length - maxShown))
  const seek = (entryMs: number) => {
    const atMs = entryMs + shiftMs
    setNowMs(atMs)
    if (video.current) video.current.currentTime = Math.max(0, atMs / 1000)
  }
  return (
    <Panel title="Recording">
      <div className={classes['columns']} data-video={shownVideo !== undefined}>
        {shownVideo && (
          <Stack gap="xs">
            {isBroken && <Alert color="orange">This browser cannot play the video.</Alert>}
            {/* The video has no captions, because the log beside it says in words what happened. */}
            <video
              ref={video}
              key={shownVideo.attachmentId}
              className={classes['video']}
              src={`/v1/testAttachments/${shownVideo.attachmentId}`}
              controls
              muted
              preload="metadata"
              aria-label={shownVideo.name}
              onTimeUpdate={(event) => setNowMs(event.currentTarget.currentTime * 1000)}
              onError={() => setBroken(true)}
            />
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
          </Stack>
        )}
        {entries.length > 0 && (
          <Stack gap="xs" miw={0}>
            {shownVideo && <ShiftField shiftMs={shiftMs} onShift={onShift} />}
            <ol className={classes['log']} aria-label="Log" tabIndex={0}>
              {entries.slice(start, start + maxShown).map((entry, index) => (
                <EntryRow
                  key={`${start + index}`}
                  entry={entry}
                  shiftMs={shownVideo ? shiftMs : 0}
                  isCurrent={start + index === current}
                  onSeek={shownVideo ? seek : undefined}
                />
              ))}
            </ol>
            {(isCut || entries.length > maxShown) && (
              <Text size="sm" c="dimmed">
                {isCut ? 'The log is too long to be shown whole. ' : ''}
                {shownVideo ? 'The entries around the shown time are listed.' : `The first ${maxShown} are listed.`}
              </Text>
            )}
          </Stack>
        )}
      </div>
    </Panel>
  )
}

interface EntryRowProps {
  entry: Entry
  shiftMs: number
  isCurrent: boolean
  onSeek: ((atMs: number) => void) | undefined
}

function EntryRow({ entry: { atMs, kind, source, isError, text }, shiftMs, isCurrent, onSeek }: EntryRowProps) {
  const time = formatOffset(atMs + shiftMs)
  return (
    <li className={classes['entry']} aria-current={isCurrent ? 'time' : undefined} data-error={isError} title={source}>
      {onSeek ? (
        <button type="button" className={classes['time']} onClick={() => onSeek(atMs)} aria-label={`Go to ${time}`}>
          {time}
        </button>
      ) : (
        <span className={classes['time']}>{time}</span>
      )}
      {kind !== 'log' && (
        <Badge size="xs" color={kind === 'request' ? 'harbor' : 'gray'}>
          {kind}
        </Badge>
      )}
      <code className="break">{text}</code>
    </li>
  )
}

/** Returns the index of the last entry that is not later than a time, or -1 before the first. */
function findCurrent(entries: Entry[], nowMs: number): number {
  const next = entries.findIndex(({ atMs }) => atMs > nowMs)
  return (next === -1 ? entries.length : next) - 1
}

/** Formats a time as `1:02.250`, or as `-0:03.000` before the start. */
function formatOffset(ms: number): string {
  const size = Math.abs(Math.round(ms))
  const seconds = String(Math.floor(size / 1000) % 60).padStart(2, '0')
  return `${ms < 0 ? '-' : ''}${Math.floor(size / 60_000)}:${seconds}.${String(size % 1000).padStart(3, '0')}`
}
