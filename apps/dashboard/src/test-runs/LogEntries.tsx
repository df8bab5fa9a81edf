import type { TestTimeline } from '@fairlead/contract'
import { Badge, Text } from '@mantine/core'
import classes from './recording.module.css'

type Entry = TestTimeline['entries'][number]

/** This many entries are rendered at once, around the time that the video shows. */
const maxShown = 400

interface LogEntriesProps {
  entries: Entry[]
  /** How much later than said the entries are shown, in milliseconds. */
  shiftMs: number
  /** The time that the video shows now, in milliseconds. Undefined without a video. */
  nowMs: number | undefined
  isCut: boolean
  /** Moves the video to the time of an entry. */
  onSeek: (atMs: number) => void
}

/** Lists what happened during an attempt; with a video, the entry of its time is marked. */
export function LogEntries({ entries, shiftMs, nowMs, isCut, onSeek }: LogEntriesProps) {
  const hasVideo = nowMs !== undefined
  const current = hasVideo ? findCurrent(entries, nowMs - shiftMs) : -1
  const start = Math.max(0, Math.min(current - maxShown / 2, entries.length - maxShown))
  return (
    <>
      <ol className={classes['log']} aria-label="Log" tabIndex={0}>
        {entries.slice(start, start + maxShown).map((entry, index) => (
          <EntryRow
            key={`${start + index}`}
            entry={entry}
            shiftMs={hasVideo ? shiftMs : 0}
            isCurrent={start + index === current}
            onSeek={hasVideo ? onSeek : undefined}
          />
        ))}
      </ol>
      {(isCut || entries.length > maxShown) && (
        <Text size="sm" c="dimmed">
          {isCut ? 'The log is too long to be shown whole. ' : ''}
          {hasVideo ? 'The entries around the shown time are listed.' : `The first ${maxShown} are listed.`}
        </Text>
      )}
    </>
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
