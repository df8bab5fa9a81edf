import { formatInstant, formatRelative } from './format.ts'

/** How long ago, or how soon, something is; the exact time shows on hover. */
export function When({ date }: { date: string }) {
  return (
    <time dateTime={date} title={formatInstant(date)}>
      {formatRelative(date)}
    </time>
  )
}
