import { Tooltip } from '@mantine/core'
import { formatInstant, formatRelative } from './format.ts'

/** How long ago, or how soon; the exact time is one hover or focus away. */
export function When({ date }: { date: string }) {
  return (
    <Tooltip label={formatInstant(date)}>
      <time dateTime={date}>{formatRelative(date)}</time>
    </Tooltip>
  )
}
