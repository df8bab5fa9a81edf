import { Tooltip } from '@mantine/core'
import { formatInstant, formatRelative } from './format.ts'

/** Shows a relative time; hover or focus shows the exact one. */
export function When({ date }: { date: string }) {
  return (
    <Tooltip label={formatInstant(date)}>
      <time dateTime={date}>{formatRelative(date)}</time>
    </Tooltip>
  )
}
