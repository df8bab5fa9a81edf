import { formatMoment, formatRelative } from './format.ts'

/** Shows a time relative to now, such as `3 hours ago`; the exact time shows on hover. */
export function When({ date }: { date: string }) {
  return (
    <time dateTime={date} title={formatMoment(date)}>
      {formatRelative(date)}
    </time>
  )
}
